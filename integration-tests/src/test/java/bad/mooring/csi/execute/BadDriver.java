package bad.mooring.csi.execute;

/** Somebody's insides. */
public final class BadDriver {}
