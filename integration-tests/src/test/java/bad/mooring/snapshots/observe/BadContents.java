package bad.mooring.snapshots.observe;

/** Somebody's insides. */
public final class BadContents {}
