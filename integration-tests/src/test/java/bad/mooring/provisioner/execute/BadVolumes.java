package bad.mooring.provisioner.execute;

/** R14: an inner class of a controller. */
public final class BadVolumes {}
