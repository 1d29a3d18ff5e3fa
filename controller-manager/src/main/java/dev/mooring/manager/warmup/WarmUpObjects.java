package dev.mooring.manager.warmup;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonParser;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import java.net.HttpURLConnection;
import java.util.Collection;
import java.util.List;

/** Objects of a warm-up, and the acts of users, kubelet and CSI driver. */
final class WarmUpObjects {
  private static final int MAX_UNITS = 10; // of each kind
  private static final String NAMESPACE = "default";
  private static final String DRIVER = "warm-up.example.com";
  private static final String NODE = "warm-up";
  private static final String STATIC_CLASS = "static";

  @FunctionalInterface
  private interface Write {
    void run() throws StatusException;
  }

  private final ObjectHandlers handlers;

  WarmUpObjects(ObjectHandlers handlers) {
    this.handlers = handlers;
  }

  Collection<StoredObject> list(ResourceType type) {
    return handlers.store(type).list("").objects();
  }

  private StoredObject create(ResourceType type, String namespace, String json) {
    try {
      return handlers.create(
          type, namespace, JsonParser.parseString(json).getAsJsonObject(), WriteOptions.PLAIN);
    } catch (StatusException e) {
      throw new IllegalStateException("warm-up object " + json + ": " + e.getMessage(), e);
    }
  }

  private void delete(ResourceType type, String namespace, String name) {
    tryWrite(() -> handlers.delete(type, namespace, name, WriteOptions.PLAIN));
  }

  private void update(
      ResourceType type, String name, WriteOptions options, ObjectHandlers.ObjectEdit edit) {
    String namespace = type == KindCatalogue.CLAIMS ? NAMESPACE : "";
    tryWrite(() -> handlers.update(type, namespace, name, options, edit));
  }

  // a controller may delete the object meanwhile
  private static void tryWrite(Write write) {
    try {
      write.run();
    } catch (StatusException e) {
      if (e.code() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw new IllegalStateException("warm-up object: " + e.getMessage(), e);
      }
    }
  }

  void createShared() {
    create(
        KindCatalogue.NODES,
        "",
        """
        {"metadata": {"name": "%s", "annotations":
          {"volumes.kubernetes.io/controller-managed-attach-detach": "true"}}}
        """
            .formatted(NODE));
    for (WarmUpPlugin plugin : WarmUpPlugin.ALL) {
      create(
          KindCatalogue.CLASSES,
          "",
          """
          {"metadata": {"name": "%s"}, "provisioner": "%s"}
          """
              .formatted(plugin.className(), plugin.name()));
    }
  }

  void createRequests(int round) {
    for (int unit = 0; unit < unitsOf(round); unit++) {
      String name = round + "-" + unit;
      createClaim(
          name + "-dynamic", WarmUpPlugin.ALL.get(unit % WarmUpPlugin.ALL.size()).className());
      createVolume(name + "-static", "");
      createClaim(name + "-static", STATIC_CLASS);
      createAttachedPair(name + "-attached");
    }
  }

  // small rounds at first, because the code is slow then and the limit of CPU time is only checked
  // between rounds
  private static int unitsOf(int round) {
    return Math.min(MAX_UNITS, 2 << round);
  }

  private void createVolume(String name, String claimReference) {
    create(
        KindCatalogue.VOLUMES,
        "",
        """
        {"metadata": {"name": "%1$s"}, "spec": {
          "storageClassName": "%2$s", "capacity": {"storage": "1Gi"},
          "accessModes": ["ReadWriteOnce"], "persistentVolumeReclaimPolicy": "Retain", %4$s
          "csi": {"driver": "%3$s", "volumeHandle": "%1$s"}}}
        """
            .formatted(name, STATIC_CLASS, DRIVER, claimReference));
  }

  // bound already, because the binder may not run in this process
  private void createAttachedPair(String name) {
    StoredObject claim = createClaim(name, STATIC_CLASS);
    createVolume(
        name,
        """
        "claimRef": {"namespace": "%s", "name": "%s", "uid": "%s"},
        """
            .formatted(NAMESPACE, name, textAt(claim.tree(), "metadata", "uid")));
    update(
        KindCatalogue.CLAIMS,
        name,
        WriteOptions.PLAIN,
        current -> {
          getOrAddChild(current, "spec").addProperty("volumeName", name);
          getOrAddChild(current, "metadata", "annotations")
              .addProperty("pv.kubernetes.io/bind-completed", "yes");
          return current;
        });
    update(
        KindCatalogue.CLAIMS,
        name,
        WriteOptions.STATUS,
        current -> {
          getOrAddChild(current, "status").addProperty("phase", "Bound");
          return current;
        });
    create(
        KindCatalogue.PODS,
        NAMESPACE,
        """
        {"metadata": {"name": "%1$s"}, "spec": {
          "nodeName": "%2$s", "terminationGracePeriodSeconds": 0,
          "containers": [{"name": "c", "image": "none"}],
          "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "%1$s"}}]}}
        """
            .formatted(name, NODE));
  }

  private StoredObject createClaim(String name, String className) {
    return create(
        KindCatalogue.CLAIMS,
        NAMESPACE,
        """
        {"metadata": {"name": "%s"}, "spec": {
          "storageClassName": "%s", "accessModes": ["ReadWriteOnce"],
          "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name, className));
  }

  void confirmAttachments() {
    for (StoredObject attachment : list(KindCatalogue.ATTACHMENTS)) {
      if (!flagAt(attachment.tree(), "status", "attached")) {
        confirm(attachment.key());
      }
    }
  }

  private void confirm(String attachment) {
    update(
        KindCatalogue.ATTACHMENTS,
        attachment,
        WriteOptions.STATUS,
        current -> {
          getOrAddChild(current, "status").addProperty("attached", true);
          return current;
        });
  }

  /** Deletes pods and claims that are not deleted yet. */
  void deleteRequests() {
    for (ResourceType type : List.of(KindCatalogue.PODS, KindCatalogue.CLAIMS)) {
      for (StoredObject object : list(type)) {
        if (valueAt(object.tree(), "metadata", "deletionTimestamp") == null) {
          delete(type, NAMESPACE, textAt(object.tree(), "metadata", "name"));
        }
      }
    }
  }

  void deleteVolumes() {
    for (StoredObject volume : list(KindCatalogue.VOLUMES)) {
      if (valueAt(volume.tree(), "metadata", "deletionTimestamp") == null) {
        delete(KindCatalogue.VOLUMES, "", volume.key());
      }
    }
  }
}
