/*
 * allocation.h - declares the functions behind new and delete for the host again: after
 * precompiled headers clang finds only the device's. Included after those, before everything else.
 */
#ifndef CUDACPU_ALLOCATION_H
#define CUDACPU_ALLOCATION_H

#ifndef CUDACPU_CLANG /* in that case earlier headers declare them */
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
