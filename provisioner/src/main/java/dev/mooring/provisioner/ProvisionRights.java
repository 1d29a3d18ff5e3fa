package dev.mooring.provisioner;

import static dev.mooring.cluster.Right.Verb.CREATE;
import static dev.mooring.cluster.Right.Verb.DELETE;
import static dev.mooring.cluster.Right.Verb.GET;
import static dev.mooring.cluster.Right.Verb.LIST;
import static dev.mooring.cluster.Right.Verb.PATCH;

import dev.mooring.cluster.Rights;
import dev.mooring.model.Kind;

/** What the controllers of this module read and write. */
public final class ProvisionRights {
  /** What {@link ProvisionController} has to be allowed. */
  public static final Rights PROVISIONING =
      Rights.to("provisioning volumes")
          .may(Kind.CLAIM, GET, PATCH)
          .may(Kind.VOLUME, GET, CREATE)
          .andTo("deleting provisioned volumes")
          .may(Kind.VOLUME, PATCH, DELETE)
          .mayTell();

  /** What measuring volumes takes. */
  public static final Rights USAGE = Rights.NONE.mayTell();

  private ProvisionRights() {}

  /**
   * What provisioning by plugins takes.
   *
   * @param podsNamespace where they may run pods, "" if they may not, and see no nodes either
   */
  public static Rights ofPlugins(String podsNamespace) {
    return podsNamespace.isEmpty()
        ? PROVISIONING
        : PROVISIONING
            .andTo("work of plugins on nodes")
            .may(Kind.NODE, GET, LIST)
            .in(podsNamespace)
            .may(Kind.POD, GET, CREATE, DELETE);
  }
}
