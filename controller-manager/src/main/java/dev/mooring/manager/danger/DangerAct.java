package dev.mooring.manager.danger;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import java.util.Locale;

/** An ordinary act of a user, an administrator, a machine or a tool. */
public sealed interface DangerAct {
  enum ActKind {
    POD("pod"),
    CLAIM("persistentvolumeclaim"),
    VOLUME("persistentvolume"),
    CLASS("storageclass");

    private final String noun;

    ActKind(String noun) {
      this.noun = noun;
    }

    String title(ObjectKey key) {
      return noun + " " + key;
    }

    String resource(ObjectKey key) {
      String scope = key.namespace().isEmpty() ? "" : " -n " + key.namespace();
      return noun + "/" + key.name() + scope;
    }
  }

  /** Changes of a backup tool to an object that it creates again. */
  enum RestoreStyle {
    /** Creates the object as it was, as {@code kubectl create} of a saved manifest does. */
    AS_SAVED,
    /** Restores the object without its binding, so that the binder binds it again. */
    UNBOUND
  }

  record DeleteObject(ActKind kind, ObjectKey key) implements DangerAct {}

  record DeleteWorkload(OwningWorkload workload) implements DangerAct {}

  record DeleteNamespace(String name) implements DangerAct {}

  record SetPolicy(String volume, ReclaimPolicy policy) implements DangerAct {}

  record LoseNode(String name) implements DangerAct {}

  record RestoreNode(String name) implements DangerAct {}

  record RemoveFinalizer(ActKind kind, ObjectKey key, String finalizer) implements DangerAct {}

  /** Replaces a class by one of the same name with the policy, without Mooring's annotations. */
  record UpgradeClass(String name, ReclaimPolicy policy) implements DangerAct {}

  record RestoreObject(ActKind kind, ObjectKey key, RestoreStyle style) implements DangerAct {}

  default String text() {
    return switch (this) {
      case DeleteObject(ActKind kind, ObjectKey key) -> "delete " + kind.title(key);
      case DeleteWorkload(OwningWorkload workload) -> "delete " + workload.title();
      case DeleteNamespace(String name) -> "delete namespace " + name;
      case SetPolicy(String volume, ReclaimPolicy policy) ->
          "set the reclaim policy of persistentvolume %s to %s".formatted(volume, policy);
      case LoseNode(String name) -> "lose node " + name;
      case RestoreNode(String name) -> "start node " + name + " again";
      case RemoveFinalizer(ActKind kind, ObjectKey key, String finalizer) ->
          "remove finalizer %s from %s".formatted(finalizer, kind.title(key));
      case UpgradeClass(String name, ReclaimPolicy policy) ->
          "replace storageclass %s by one with policy %s and without annotations"
              .formatted(name, policy);
      case RestoreObject(ActKind kind, ObjectKey key, RestoreStyle style) ->
          "restore %s from a backup%s"
              .formatted(
                  kind.title(key),
                  style == RestoreStyle.UNBOUND ? ", without its binding" : " as it was");
    };
  }

  /** Returns the command that does the act; "" if no single kubectl command does. */
  default String command() {
    return switch (this) {
      case DeleteObject(ActKind kind, ObjectKey key) -> "kubectl delete " + kind.resource(key);
      case DeleteWorkload(OwningWorkload workload) ->
          "kubectl delete %s/%s -n %s"
              .formatted(
                  workload.kind().toLowerCase(Locale.ROOT),
                  workload.key().name(),
                  workload.key().namespace());
      case DeleteNamespace(String name) -> "kubectl delete namespace " + name;
      case SetPolicy(String volume, ReclaimPolicy policy) -> patchPolicy(volume, policy);
      case LoseNode _, RestoreNode _, RemoveFinalizer _, UpgradeClass _, RestoreObject _ -> "";
    };
  }

  static String patchPolicy(String volume, ReclaimPolicy policy) {
    return "kubectl patch pv %s -p '{\"spec\":{\"persistentVolumeReclaimPolicy\":\"%s\"}}'"
        .formatted(volume, policy);
  }
}
