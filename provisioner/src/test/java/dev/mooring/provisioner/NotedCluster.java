package dev.mooring.provisioner;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.VersionMark;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.storage.Twins;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Request;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.time.Time;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cluster that takes down, where a storage does, what is written to it and what it is told. */
public final class NotedCluster {
  /** What it answers to writes next; they are done if nothing is left. */
  public final Deque<WriteResult<?>> writes = new ArrayDeque<>();

  /** What it answers next to what only gives an object another version; the same. */
  public final Deque<WriteResult<?>> versionWrites = new ArrayDeque<>();

  /** How often an object was to get another version, and be as it was before. */
  public int versions;

  private final FaultyCluster server = new FaultyCluster().onWrite(this::answer);
  private final List<String> asked;

  /**
   * Nothing is there.
   *
   * @param asked where it is taken down
   */
  public NotedCluster(List<String> asked) {
    this.asked = asked;
  }

  private @Nullable WriteResult<?> answer(Request request) {
    String document = request.document().toString();
    if (document.contains(VersionMark.VERSION_MARK) && !document.contains("finalizers")) {
      versions++;
      return versionWrites.poll();
    }
    Object what = request.verb() == Verb.DELETE ? request.key() : document;
    asked.add(request.verb() + " " + request.kind() + " " + what);
    return writes.poll();
  }

  /** Takes down events. */
  public EventSink events() {
    return event -> asked.add(event.reason() + ": " + event.note());
  }

  /** What a controller acts on it through. */
  public ClusterPorts ports(Time time) {
    return new ClusterPorts(
        server, server, events(), (pod, uid) -> new ReadResult.Found<>(List.of()), time);
  }

  /** The cached objects of a kind. */
  public <T extends Resource> Informer<T> cached(Kind<T> kind) {
    return server.cluster().informers().of(kind);
  }

  /** The cached volumes, by their storage too. */
  public Informer<Volume> cachedVolumes() {
    return server.cluster().informers().of(Kind.VOLUME, Twins.BY_STORAGE);
  }

  /** Somebody puts it there. */
  public <T extends Resource> T put(Kind<T> kind, T object) {
    return server.cluster().put(kind, object);
  }

  /** What is there. */
  public <T extends Resource> T get(Kind<T> kind, String namespace, String name) {
    return server.cluster().get(kind, ObjectKey.of(namespace, name));
  }

  /** Somebody removes it. */
  public void remove(Kind<?> kind, ObjectKey key) {
    server.cluster().remove(kind, key);
  }

  /** From now on it answers reads, or does not. */
  public void mute(boolean now) {
    server.onRead(request -> now ? new ReadResult.Failed<>("no answer") : null);
  }
}
