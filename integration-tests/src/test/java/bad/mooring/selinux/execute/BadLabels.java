package bad.mooring.selinux.execute;

/** Somebody's insides. */
public final class BadLabels {}
