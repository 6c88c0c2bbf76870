/* What the compiler says of itself and of its target; the rest comes from setup.py. */
#ifndef CASINO_CORE_BUILDINFO_H
#define CASINO_CORE_BUILDINFO_H

#define CC_TEXT_(x) #x
#define CC_TEXT(x) CC_TEXT_(x)

#if defined(__clang__)
#define CC_BUILD_COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define CC_BUILD_COMPILER "gcc " __VERSION__
#elif defined(_MSC_VER)
#define CC_BUILD_COMPILER "msvc " CC_TEXT(_MSC_FULL_VER)
#else
#define CC_BUILD_COMPILER "unknown"
#endif

#if defined(__x86_64__) || defined(_M_X64)
#define CC_BUILD_MACHINE "x86-64"
#elif defined(__aarch64__) || defined(_M_ARM64)
#define CC_BUILD_MACHINE "arm64"
#else
#define CC_BUILD_MACHINE "other"
#endif

#if defined(NDEBUG)
#define CC_BUILD_ASSERTS 0
#else
#define CC_BUILD_ASSERTS 1
#endif

#if defined(__POPCNT__) || defined(__aarch64__) || defined(_M_ARM64)
#define CC_BUILD_POPCOUNT 1
#else
#define CC_BUILD_POPCOUNT 0
#endif

/* A build that went round setup.py still compiles, and says so. */
#ifndef CC_BUILD_CYTHON
#define CC_BUILD_CYTHON "unknown"
#endif
#ifndef CC_BUILD_FLAGS
#define CC_BUILD_FLAGS "unknown"
#endif
#ifndef CC_BUILD_SANITIZE
#define CC_BUILD_SANITIZE ""
#endif

#endif
