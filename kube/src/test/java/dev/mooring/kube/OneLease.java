package dev.mooring.kube;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.testkit.Builders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A server that has room for one Lease. */
final class OneLease implements ClusterWriter, LiveReader {
  volatile boolean unreachable;

  /** Writes are done, and nobody is told. */
  volatile boolean answersLost;

  volatile Runnable beforeAnswer = () -> {};

  private final ObjectKey key;
  private final Map<String, Object> spec = new HashMap<>();
  private boolean there;
  private long version;
  private long writesLeft = Long.MAX_VALUE;

  OneLease(ObjectKey key) {
    this.key = key;
  }

  Map<String, Object> spec() {
    return spec;
  }

  void failAfter(long writes) {
    writesLeft = writes;
  }

  void seed(String holder, int seconds, String renewed) {
    spec.clear();
    if (!holder.isEmpty()) {
      spec.put("holderIdentity", holder);
      spec.put("leaseDurationSeconds", (long) seconds);
      spec.put("renewTime", renewed);
    }
    there = true;
    version++;
  }

  private Lease lease() {
    return Builders.lease(key)
        .uid("lease")
        .version(version)
        .holder((String) spec.getOrDefault("holderIdentity", ""))
        .durationSeconds(((Number) spec.getOrDefault("leaseDurationSeconds", 0)).intValue())
        .transitions(((Number) spec.getOrDefault("leaseTransitions", 0)).intValue())
        .build();
  }

  @SuppressWarnings("unchecked") // there are only leases here
  private <T extends Resource> WriteResult<T> write(Document document, boolean create) {
    beforeAnswer.run();
    if (unreachable || writesLeft-- <= 0) {
      return new WriteResult.Unreachable<>("not today");
    }
    Map<String, Object> metadata = members(document.members().get("metadata"));
    if (create ? there : !Long.toString(version).equals(metadata.get("resourceVersion"))) {
      return new WriteResult.Conflict<>("changed");
    }
    spec.putAll(members(document.members().get("spec")));
    there = true;
    version++;
    return answersLost
        ? new WriteResult.Unreachable<>("no answer")
        : new WriteResult.Written<>((T) lease());
  }

  @SuppressWarnings("unchecked") // documents are maps all the way down
  private static Map<String, Object> members(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  @Override
  public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey k, Document patch) {
    return write(patch, false);
  }

  @Override
  public <T extends Resource> WriteResult<T> patchStatus(Kind<T> kind, ObjectKey k, Document p) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey k, Document object) {
    return write(object, true);
  }

  @Override
  public <T extends Resource> WriteResult<T> delete(
      Kind<T> kind, ObjectKey k, Uid uid, long version) {
    throw new UnsupportedOperationException();
  }

  @Override
  @SuppressWarnings("unchecked") // there are only leases here
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey k) {
    if (unreachable || writesLeft <= 0) {
      return new ReadResult.Failed<>("not today");
    }
    return there ? new ReadResult.Found<>((T) lease()) : new ReadResult.Absent<>();
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey k) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
    throw new UnsupportedOperationException();
  }
}
