/*
 * allocation.h - redeclares for the host the functions behind new and delete: after precompiled
 * headers clang finds only the device's. Included after those headers, before everything else.
 */
#ifndef CUDACPU_ALLOCATION_H
#define CUDACPU_ALLOCATION_H

#ifndef CUDACPU_CLANG /* for clang, both_sides.h includes it */
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
