package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.Capacities;
import dev.mooring.csi.decide.Checked;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.spi.csi.CsiConnection.Room;
import dev.mooring.spi.csi.Reply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Asks a driver how much room there is, and writes it down. For one thread. */
public final class CapacityReports {
  /**
   * What went wrong.
   *
   * @param message for people
   * @param answered false if it is that the API server did not answer
   */
  public record Problem(String message, boolean answered) {}

  private final DriverSession session;
  private final String manager;
  private final String namespace;
  private final CapacityOwner owner;
  private final LiveReader reader;
  private final ClusterWriter writer;
  private final Set<Uid> owned = new HashSet<>(); // that have been seen to have the owner

  /**
   * Writes objects of that namespace.
   *
   * @param manager what they say keeps them
   */
  public CapacityReports(
      DriverSession session,
      String manager,
      String namespace,
      CapacityOwner owner,
      ClusterPorts ports) {
    this.session = session;
    this.manager = manager;
    this.namespace = namespace;
    this.owner = owner;
    this.reader = ports.reader();
    this.writer = ports.writer();
  }

  /** Forgets what is known of other objects than these: they are gone. */
  public void keepOnly(List<StorageCapacity> objects) {
    Set<Uid> there = new HashSet<>();
    objects.forEach(object -> there.add(object.meta().uid()));
    owned.retainAll(there);
  }

  /**
   * Brings a class's objects up to date, as far as the driver answers.
   *
   * @param storageClass the class; empty if nothing is published for it
   * @return what went wrong, if anything did; of several things one that was answered
   */
  public Optional<Problem> publish(
      String className, Optional<StorageClass> storageClass, Capacities.Standing standing)
      throws InterruptedException {
    List<Problem> problems = new ArrayList<>();
    for (StorageCapacity object : standing.obsolete()) {
      problem(writer.delete(Kind.STORAGE_CAPACITY, object.key(), object.meta().uid()))
          .ifPresent(problems::add);
    }
    if (storageClass.isPresent()) {
      switch (owner.reference()) {
        case Checked.Valid<?> _ -> {}
        case Checked.Invalid<?>(String why) -> {
          problems.add(new Problem(why, true));
          return worst(problems);
        }
        case Checked.Unknown<?>(String why) -> {
          problems.add(new Problem(why, false));
          return worst(problems);
        }
      }
      Map<Map<String, String>, @Nullable StorageCapacity> all = new HashMap<>(standing.kept());
      standing.missing().forEach(segment -> all.put(segment, null));
      for (Map.Entry<Map<String, String>, @Nullable StorageCapacity> one : all.entrySet()) {
        Reply<Room> room =
            session.call(
                "GetCapacity", c -> c.capacity(storageClass.get().parameters(), one.getKey()));
        switch (room) {
          case Reply.Ok<Room>(Room there) ->
              write(className, one.getKey(), one.getValue(), there).ifPresent(problems::add);
          case Reply.Refused<Room> refused -> problems.add(new Problem(refused.text(), true));
        }
      }
    }
    return worst(problems);
  }

  private static Optional<Problem> worst(List<Problem> problems) {
    return problems.stream()
        .filter(Problem::answered)
        .findFirst()
        .or(() -> problems.stream().findFirst());
  }

  private Optional<Problem> write(
      String className, Map<String, String> segment, @Nullable StorageCapacity object, Room room)
      throws InterruptedException {
    if (object == null) {
      String name = Capacities.nameFor(manager, session.driver(), className, segment);
      Document body =
          said(Document.empty(), room)
              .set(name, "metadata", "name")
              .set(namespace, "metadata", "namespace")
              .set(session.driver(), "metadata", "labels", Capacities.DRIVER_LABEL)
              .set(manager, "metadata", "labels", Capacities.MANAGER_LABEL)
              .set(new HashMap<>(segment), "nodeTopology", "matchLabels")
              .set(className, "storageClassName");
      ours().ifPresent(ours -> body.set(List.of(ours), "metadata", "ownerReferences"));
      return problem(writer.create(Kind.STORAGE_CAPACITY, ObjectKey.of(namespace, name), body));
    }
    Optional<List<Map<String, Object>>> owners = ownersFor(object);
    if (owners.isEmpty()
        && Capacities.says(object, room.availableBytes(), room.maximumVolumeBytes())) {
      return Optional.empty();
    }
    Document patch = said(Document.patchOf(object.meta()), room);
    owners.ifPresent(all -> patch.set(all, "metadata", "ownerReferences"));
    return problem(writer.patch(Kind.STORAGE_CAPACITY, object.key(), patch));
  }

  private Optional<Map<String, Object>> ours() throws InterruptedException {
    return owner.reference()
            instanceof
            Checked.Valid<Optional<Map<String, Object>>>(Optional<Map<String, Object>> found)
        ? found
        : Optional.empty();
  }

  /** The owners that the object is to have, if they are others than it has. */
  private Optional<List<Map<String, Object>>> ownersFor(StorageCapacity object)
      throws InterruptedException {
    Optional<Map<String, Object>> ours = ours();
    if (ours.isEmpty() || owned.contains(object.meta().uid())) {
      return Optional.empty();
    }
    if (!(reader.readWhole(Kind.STORAGE_CAPACITY, object.key())
        instanceof ReadResult.Found<Map<String, Object>>(Map<String, Object> whole))) {
      return Optional.empty(); // looked at again the next time
    }
    Optional<List<Map<String, Object>>> owners = CapacityOwner.with(ours.get(), whole);
    if (owners.isEmpty()) {
      owned.add(object.meta().uid());
    }
    return owners;
  }

  private static Document said(Document body, Room room) {
    body.set(Long.toString(room.availableBytes()), "capacity");
    return body.set(
        room.maximumVolumeBytes() < 0 ? null : Long.toString(room.maximumVolumeBytes()),
        "maximumVolumeSize");
  }

  private static Optional<Problem> problem(WriteResult<?> result) {
    return switch (result) {
      case WriteResult.Written<?> _, WriteResult.Gone<?> _ -> Optional.empty();
      case WriteResult.Conflict<?>(String message) -> Optional.of(new Problem(message, true));
      case WriteResult.Rejected<?>(int code, String message) ->
          Optional.of(new Problem("the server refused it (" + code + "): " + message, true));
      case WriteResult.Unreachable<?>(String message) -> Optional.of(new Problem(message, false));
    };
  }
}
