/*
 * allocation.h - what new and delete call, declared for the host once more: where clang has read
 * headers that were compiled beforehand, it finds the device's alone. Behind them, before all else.
 */
#ifndef CUDACPU_ALLOCATION_H
#define CUDACPU_ALLOCATION_H

#ifndef CUDACPU_CLANG /* there the headers before it have it */
#include <new>
#endif

void *operator new(std::size_t);
void *operator new[](std::size_t);
void operator delete(void *) noexcept;
void operator delete[](void *) noexcept;
void operator delete(void *, std::size_t) noexcept;
void operator delete[](void *, std::size_t) noexcept;
void *operator new(std::size_t, std::align_val_t);
void *operator new[](std::size_t, std::align_val_t);
void operator delete(void *, std::align_val_t) noexcept;
void operator delete[](void *, std::align_val_t) noexcept;
void operator delete(void *, std::size_t, std::align_val_t) noexcept;
void operator delete[](void *, std::size_t, std::align_val_t) noexcept;

#endif
