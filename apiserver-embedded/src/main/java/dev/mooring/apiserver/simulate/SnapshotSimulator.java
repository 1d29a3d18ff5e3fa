package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.rules.ResourceAmounts;
import dev.mooring.apiserver.store.StoredObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

final class SnapshotSimulator {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final String GROUP_HANDLE = "volumeGroupSnapshotHandle";
  private static final Names SINGLE =
      new Names(
          "snapshot.storage.k8s.io",
          "volumesnapshotcontents",
          "volumeSnapshotRef",
          "snapshotHandle",
          "snapshot.storage.kubernetes.io/volumesnapshot",
          "VolumeSnapshot");
  private static final Names GROUP =
      new Names(
          "groupsnapshot.storage.k8s.io",
          "volumegroupsnapshotcontents",
          "volumeGroupSnapshotRef",
          GROUP_HANDLE,
          "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot",
          "VolumeGroupSnapshot");

  private record Names(
      String group, String plural, String owner, String handle, String prefix, String ownerKind) {}

  private final ObjectHandlers handlers;
  private final Consumer<DestroyedData> destroyed;

  SnapshotSimulator(ObjectHandlers handlers, Consumer<DestroyedData> destroyed) {
    this.handlers = handlers;
    this.destroyed = destroyed;
  }

  void runPass() {
    runPass(SINGLE);
    runPass(GROUP);
  }

  private void runPass(Names names) {
    Optional<ResourceType> type = handlers.findType(names.group(), "v1", names.plural());
    if (type.isEmpty()) {
      return;
    }
    for (StoredObject stored : handlers.store(type.get()).list("").objects()) {
      JsonObject content = stored.tree();
      if (SimulatedObjects.isTerminating(content)) {
        release(type.get(), names, content);
      } else if (!textAt(content, "status", "readyToUse").equals("true")) {
        create(type.get(), names, content);
      }
    }
  }

  private void release(ResourceType type, Names names, JsonObject content) {
    JsonElement mark =
        valueAt(content, "metadata", "annotations", names.prefix() + "-being-deleted");
    String finalizer = names.prefix() + "content-bound-protection";
    boolean isBound = !textAt(content, "spec", names.owner(), "uid").isEmpty();
    if (mark == null && isBound
        || !stringsAt(content, "metadata", "finalizers").contains(finalizer)) {
      return; // the snapshot controller marks the content first
    }
    boolean isDeleted =
        textAt(content, "spec", "deletionPolicy").equals("Delete")
            && !textAt(content, "status", names.handle()).isEmpty();
    if (isDeleted && mark != null && isBound && !isMember(names, content)) {
      destroyed.accept(
          new DestroyedData(
              type,
              content,
              textAt(content, "spec", "driver"),
              "its %s is gone and its deletion policy is Delete".formatted(names.ownerKind())));
    }
    update(
        type,
        content,
        WriteOptions.PLAIN,
        current -> {
          JsonArray rest = new JsonArray();
          stringsAt(current, "metadata", "finalizers").stream()
              .filter(name -> !name.equals(finalizer))
              .forEach(rest::add);
          getOrAddChild(current, "metadata").add("finalizers", rest);
          return current;
        });
  }

  // the driver creates and deletes members with their group
  private static boolean isMember(Names names, JsonObject content) {
    return names.equals(SINGLE)
        && (!textAt(content, "status", GROUP_HANDLE).isEmpty()
            || valueAt(content, "metadata", "annotations", GROUP.group() + "/" + GROUP_HANDLE)
                != null);
  }

  private void create(ResourceType type, Names names, JsonObject content) {
    JsonObject status = names.equals(SINGLE) ? describeSnapshot(content) : describeGroup(content);
    if (!textAt(status, names.handle()).isEmpty()) {
      update(
          type,
          content,
          WriteOptions.STATUS,
          current -> {
            JsonObject old = getOrAddChild(current, "status");
            status.asMap().forEach(old::add);
            old.remove("error");
            return current;
          });
    }
  }

  private JsonObject describeSnapshot(JsonObject content) {
    String recorded = textAt(content, "status", "snapshotHandle");
    String existing = textAt(content, "spec", "source", "snapshotHandle");
    String volume = textAt(content, "spec", "source", "volumeHandle");
    String created = isMember(SINGLE, content) ? "" : "snap-" + textAt(content, "metadata", "uid");
    String handle =
        Stream.of(recorded, existing, created).filter(h -> !h.isEmpty()).findFirst().orElse("");
    JsonObject status = newObject("snapshotHandle", handle, "readyToUse", true);
    status.addProperty("creationTime", handlers.now().getEpochSecond() * NANOS_PER_SECOND);
    addSize(status, textAt(content, "spec", "driver"), volume);
    return status;
  }

  private void addSize(JsonObject status, String driver, String volume) {
    handlers.store(KindCatalogue.VOLUMES).list("").objects().stream()
        .map(StoredObject::tree)
        .filter(object ->
            textAt(object, "spec", "csi", "driver").equals(driver)
                && textAt(object, "spec", "csi", "volumeHandle").equals(volume))
        .findFirst()
        .ifPresent(object ->
            status.addProperty(
                "restoreSize",
                ResourceAmounts.parseAmount(valueAt(object, "spec", "capacity", "storage"))
                    .longValue()));
  }

  private JsonObject describeGroup(JsonObject content) {
    String uid = textAt(content, "metadata", "uid");
    String existing =
        textAt(content, "spec", "source", "groupSnapshotHandles", "volumeGroupSnapshotHandle");
    List<String> volumes = stringsAt(content, "spec", "source", "volumeHandles");
    JsonObject status =
        newObject(GROUP_HANDLE, existing.isEmpty() ? "group-" + uid : existing, "readyToUse", true);
    status.addProperty("creationTime", CanonicalValues.formatSeconds(handlers.now()));
    if (!volumes.isEmpty()) {
      JsonArray members = new JsonArray();
      for (String volume : volumes) {
        JsonObject member =
            newObject(
                "volumeHandle",
                volume,
                "snapshotHandle",
                "snap-" + uid + "-" + members.size(),
                "readyToUse",
                true);
        member.addProperty("creationTime", handlers.now().getEpochSecond() * NANOS_PER_SECOND);
        addSize(member, textAt(content, "spec", "driver"), volume);
        members.add(member);
      }
      status.add("volumeSnapshotInfoList", members);
    }
    return status;
  }

  private void update(
      ResourceType type, JsonObject content, WriteOptions options, ObjectHandlers.ObjectEdit edit) {
    SimulatedObjects.tryWrite(
        () -> handlers.update(type, "", SimulatedObjects.getName(content), options, edit));
  }

  boolean isSourceReady(JsonObject claim) {
    String kind = textAt(claim, "spec", "dataSource", "kind");
    String key =
        SimulatedObjects.getNamespace(claim) + "/" + textAt(claim, "spec", "dataSource", "name");
    return switch (kind) {
      case "VolumeSnapshot" ->
          handlers
              .findType(SINGLE.group(), "v1", "volumesnapshots")
              .map(type -> handlers.store(type).get(key))
              .filter(snapshot -> textAt(snapshot.tree(), "status", "readyToUse").equals("true"))
              .isPresent();
      case "PersistentVolumeClaim" ->
          Optional.ofNullable(handlers.store(KindCatalogue.CLAIMS).get(key))
              .filter(source -> textAt(source.tree(), "status", "phase").equals("Bound"))
              .isPresent();
      default -> true;
    };
  }
}
