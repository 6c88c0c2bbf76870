"""How the compiled core was built, as its compiler saw it."""

cdef extern from "_build_facts.h":
    const char* CC_BUILD_COMPILER
    const char* CC_BUILD_MACHINE
    const char* CC_BUILD_CYTHON
    const char* CC_BUILD_FLAGS
    const char* CC_BUILD_SANITIZE
    const int CC_BUILD_ASSERTS
    const int CC_BUILD_POPCOUNT


def facts():
    """Return the switches this module was compiled with; all modules are compiled alike.

    >>> sorted(facts())
    ['compiler', 'cython', 'debug', 'flags', 'machine', 'popcount', 'sanitize']
    """
    return {
        "compiler": CC_BUILD_COMPILER.decode("utf-8").strip(),
        "machine": CC_BUILD_MACHINE.decode("utf-8"),
        "cython": CC_BUILD_CYTHON.decode("utf-8"),
        "flags": CC_BUILD_FLAGS.decode("utf-8"),
        "sanitize": CC_BUILD_SANITIZE.decode("utf-8"),
        "debug": bool(CC_BUILD_ASSERTS),
        "popcount": bool(CC_BUILD_POPCOUNT),
    }
