package bad.mooring.protection.decide;

/** Somebody's insides. */
public final class BadFinalizers {}
