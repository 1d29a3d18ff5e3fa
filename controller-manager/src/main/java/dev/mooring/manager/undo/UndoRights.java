package dev.mooring.manager.undo;

import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.cluster.RbacRules;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import java.util.List;

public final class UndoRights {
  static final Kind<Resource> NAMESPACE =
      new Kind<>("", "v1", "namespaces", "Namespace", false, Resource.class);

  private UndoRights() {}

  /**
   * Returns the rights.
   *
   * @param namespace namespace of the claims
   * @param listsVolumes whether the user names the namespace instead of the volume
   */
  public static List<RbacRule> of(String namespace, boolean listsVolumes) {
    RbacRules rights =
        RbacRules.forPurpose("keeping the volumes")
            .may(Kind.VOLUME, Verb.GET, Verb.PATCH)
            .andForPurpose("creating the claims again")
            .mayNamed(NAMESPACE, namespace, Verb.GET)
            .inNamespace(namespace)
            .may(Kind.CLAIM, Verb.GET, Verb.CREATE);
    return (listsVolumes
            ? rights.andForPurpose("finding the volumes").may(Kind.VOLUME, Verb.LIST)
            : rights)
        .list();
  }

  public static List<RbacRule> ofSnapshots(String namespace, boolean listsContents) {
    RbacRules rights =
        RbacRules.forPurpose("keeping the data of snapshots")
            .may(Kind.SNAPSHOT_CONTENT, Verb.GET, Verb.CREATE, Verb.PATCH, Verb.DELETE)
            .andForPurpose("creating the snapshots again")
            .mayNamed(NAMESPACE, namespace, Verb.GET)
            .inNamespace(namespace)
            .may(Kind.SNAPSHOT, Verb.GET, Verb.CREATE);
    return (listsContents
            ? rights.andForPurpose("finding the contents").may(Kind.SNAPSHOT_CONTENT, Verb.LIST)
            : rights)
        .list();
  }
}
