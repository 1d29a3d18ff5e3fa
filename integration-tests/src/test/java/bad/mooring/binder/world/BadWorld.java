package bad.mooring.binder.world;

/** R14: a seventh package. */
public final class BadWorld {}
