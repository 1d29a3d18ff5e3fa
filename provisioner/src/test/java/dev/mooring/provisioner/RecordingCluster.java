package dev.mooring.provisioner;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.VersionBumper;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.storage.SharedStorageIndex;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Request;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.TestPorts;
import dev.mooring.time.Time;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cluster that records writes and events in the same list as the storage's calls. */
public final class RecordingCluster {
  /** Next results of writes; success if empty. */
  public final Deque<WriteResult<?>> writes = new ArrayDeque<>();

  /** Next results of writes that only change the resource version; success if empty. */
  public final Deque<WriteResult<?>> versionWrites = new ArrayDeque<>();

  /** Number of writes that only change the resource version. */
  public int versions;

  private final FaultyCluster server = new FaultyCluster().onWrite(this::answer);
  private final List<String> requests;

  /**
   * Creates an empty cluster.
   *
   * @param requests list to which writes and events are added
   */
  public RecordingCluster(List<String> requests) {
    this.requests = requests;
  }

  private @Nullable WriteResult<?> answer(Request request) {
    String document = request.document().toString();
    if (document.contains(VersionBumper.VERSION_MARK) && !document.contains("finalizers")) {
      versions++;
      return versionWrites.poll();
    }
    Object recorded = request.verb() == Verb.DELETE ? request.key() : document;
    requests.add(request.verb() + " " + request.kind() + " " + recorded);
    return writes.poll();
  }

  public EventSink events() {
    return event -> requests.add(event.reason() + ": " + event.note());
  }

  public ClusterPorts ports(Time time) {
    return TestPorts.of(server, events(), time);
  }

  public <T extends Resource> Informer<T> cacheOf(Kind<T> kind) {
    return server.cluster().informers().of(kind);
  }

  /** Returns the cached volumes with the index by storage. */
  public Informer<Volume> cachedVolumes() {
    return server.cluster().informers().of(Kind.VOLUME, SharedStorageIndex.BY_STORAGE);
  }

  /** Stores an object as another client would. */
  public <T extends Resource> T put(Kind<T> kind, T object) {
    return server.cluster().put(kind, object);
  }

  public <T extends Resource> T get(Kind<T> kind, String namespace, String name) {
    return server.cluster().get(kind, ObjectKey.of(namespace, name));
  }

  /** Removes an object as another client would. */
  public void remove(Kind<?> kind, ObjectKey key) {
    server.cluster().remove(kind, key);
  }

  /** Makes reads fail, or succeed again. */
  public void setUnreachable(boolean isUnreachable) {
    server.onRead(request -> isUnreachable ? new ReadResult.Failed<>("no answer") : null);
  }
}
