package dev.mooring.selinux;

import dev.mooring.cluster.RbacRules;
import dev.mooring.model.Kind;

/** RBAC rights of the SELinux warning controller. */
public final class SeLinuxRights {
  public static final RbacRules ALL =
      RbacRules.forPurpose("warning of conflicting SELinux labels")
          .mayCache(Kind.POD)
          .mayCache(Kind.CSI_DRIVER)
          .mayEmitEvents();

  private SeLinuxRights() {}
}
