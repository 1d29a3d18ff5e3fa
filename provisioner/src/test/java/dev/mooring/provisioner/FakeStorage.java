package dev.mooring.provisioner;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.VersionMark;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.storage.VolumeService;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Storage and cluster in one: answers as it is told, and takes down what it was asked. */
public final class FakeStorage implements VolumeService, ClusterWriter, LiveReader, EventSink {
  /** Everything that was asked, in order. */
  public final List<String> asked = new ArrayList<>();

  /** What the storage answers next; made if nothing is left. */
  public final Deque<ProvisionResult> results = new ArrayDeque<>();

  /** What comes of orders before the storage is asked; it is asked if nothing is left. */
  public final Deque<Plan> plans = new ArrayDeque<>();

  /** What the storage answers to a destruction. */
  public Destroying destroying = new Destroying.Destroyed();

  /** What the server answers to writes next; written if nothing is left. */
  public final Deque<WriteResult<?>> writes = new ArrayDeque<>();

  /** What the server answers next to what only gives an object another version; the same. */
  public final Deque<WriteResult<?>> versionWrites = new ArrayDeque<>();

  /** How often an object was to get another version, and be as it was before. */
  public int versions;

  /** The objects that the server has. */
  public @Nullable Volume volume;

  public @Nullable Claim claim;

  /** Whether the server does not answer reads. */
  public boolean mute;

  public boolean block;

  @Override
  public Set<String> names() {
    return Set.of("ours");
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public boolean makesBlockVolumes() {
    return block;
  }

  @Override
  public Plan plan(Order order) {
    return plans.isEmpty() ? new Plan.Ask(() -> make(order)) : plans.removeFirst();
  }

  private ProvisionResult make(Order order) {
    asked.add("make " + order.volumeName() + " " + order.selectedNode());
    return results.isEmpty()
        ? new ProvisionResult.Made(
            Document.empty().set("h", "spec", "csi", "volumeHandle"),
            () -> {
              asked.add("roll back " + order.volumeName());
              return destroying;
            })
        : results.removeFirst();
  }

  @Override
  public Destroying destroy(Volume destroyed) {
    asked.add("destroy " + destroyed.meta().name());
    return destroying;
  }

  @SuppressWarnings("unchecked") // by kind
  private <T extends Resource> WriteResult<T> answer(String what, Kind<T> kind, Object body) {
    asked.add(what + " " + kind + " " + body);
    if (!writes.isEmpty()) {
      return (WriteResult<T>) writes.removeFirst();
    }
    Resource now = kind.equals(Kind.VOLUME) ? volume : claim;
    return now == null ? new WriteResult.Gone<>() : (WriteResult<T>) new WriteResult.Written<>(now);
  }

  @SuppressWarnings("unchecked") // by kind
  private <T extends Resource> WriteResult<T> version(Kind<T> kind) {
    versions++;
    if (!versionWrites.isEmpty()) {
      return (WriteResult<T>) versionWrites.removeFirst();
    }
    Resource now = kind.equals(Kind.VOLUME) ? volume : claim;
    return now == null ? new WriteResult.Gone<>() : (WriteResult<T>) new WriteResult.Written<>(now);
  }

  @Override
  public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch) {
    return patch.toString().contains(VersionMark.VERSION_MARK)
            && !patch.toString().contains("finalizers")
        ? version(kind)
        : answer("patch", kind, patch);
  }

  @Override
  public <T extends Resource> WriteResult<T> patchStatus(
      Kind<T> kind, ObjectKey key, Document patch) {
    return answer("patch status", kind, patch);
  }

  @Override
  public <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey key, Document object) {
    return answer("create", kind, object);
  }

  @Override
  public <T extends Resource> WriteResult<T> delete(
      Kind<T> kind, ObjectKey key, Uid uid, long version) {
    return answer("delete", kind, uid);
  }

  @Override
  @SuppressWarnings("unchecked") // by kind
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
    if (mute) {
      return new ReadResult.Failed<>("no answer");
    }
    Resource now = kind.equals(Kind.VOLUME) ? volume : claim;
    return now == null ? new ReadResult.Absent<>() : (ReadResult<T>) new ReadResult.Found<>(now);
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
    throw new AssertionError("nothing is read whole here");
  }

  @Override
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
    throw new AssertionError("nothing is listed here");
  }

  @Override
  public void tell(ClusterEvent event) {
    asked.add(event.reason() + ": " + event.note());
  }
}
