/* Memory of large tables: pages of 2 MiB where the system has them, and loads ahead of use. */
#ifndef CASINO_CORE_PAGES_H
#define CASINO_CORE_PAGES_H

#include <stddef.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#define CC_HUGE_PAGE ((size_t)2 << 20)

/* Ask for pages of 2 MiB, so that random access misses fewer translations of addresses. Whether or not the system
   grants it, the memory is the same. */
static inline void cc_use_huge_pages(void *memory, size_t size)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    (void)madvise(memory, size, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)size;
#endif
}

/* Begin to load a line of memory into the caches. */
static inline void cc_prefetch(const void *memory)
{
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(memory);
#else
    (void)memory;
#endif
}

#endif
