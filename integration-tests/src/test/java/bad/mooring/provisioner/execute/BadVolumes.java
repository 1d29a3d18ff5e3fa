package bad.mooring.provisioner.execute;

/** Somebody's insides. */
public final class BadVolumes {}
