package dev.mooring.selinux;

import dev.mooring.cluster.Rights;
import dev.mooring.model.Kind;

/** What the warnings about SELinux labels need to read and write. */
public final class SeLinuxRights {
  /** What they have to be allowed. */
  public static final Rights ALL =
      Rights.to("warning of SELinux labels that do not go together")
          .mayCache(Kind.POD)
          .mayCache(Kind.CSI_DRIVER)
          .mayTell();

  private SeLinuxRights() {}
}
