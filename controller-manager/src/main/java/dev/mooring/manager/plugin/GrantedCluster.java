package dev.mooring.manager.plugin;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.PluginCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Cluster access for plugins, enabled by {@code --plugin-pods-namespace}. Thread-safe. */
public final class GrantedCluster implements PluginCluster {
  private static final int MALFORMED = 400;
  private static final int INVALID = 422;

  private final String namespace;
  private final LiveReader reader;
  private final ClusterWriter writer;

  public GrantedCluster(String namespace, LiveReader reader, ClusterWriter writer) {
    this.namespace = namespace;
    this.reader = reader;
    this.writer = writer;
  }

  @Override
  public String namespace() {
    return namespace;
  }

  @Override
  public Attempt<Optional<Node>> node(String name) throws InterruptedException {
    return toOptional(reader.read(Kind.NODE, ObjectKey.cluster(name)));
  }

  @Override
  public Attempt<List<Node>> nodes() throws InterruptedException {
    return list(Kind.NODE);
  }

  @Override
  public Attempt<List<Volume>> volumes() throws InterruptedException {
    return list(Kind.VOLUME);
  }

  private <T extends Resource> Attempt<List<T>> list(Kind<T> kind) throws InterruptedException {
    return switch (reader.list(kind, "")) {
      case ReadResult.Found<List<T>>(List<T> objects) -> Attempt.done(objects);
      case ReadResult.Absent<List<T>>() ->
          new Attempt.Failed<>(
              new Failure.Unreachable("the API server does not serve " + kind.plural()));
      case ReadResult.Failed<List<T>>(String message) ->
          new Attempt.Failed<>(new Failure.Unreachable(message));
    };
  }

  private static <T> Attempt<Optional<T>> toOptional(ReadResult<T> result) {
    return switch (result) {
      case ReadResult.Found<T>(T object) -> Attempt.done(Optional.of(object));
      case ReadResult.Absent<T>() -> Attempt.done(Optional.empty());
      case ReadResult.Failed<T>(String message) ->
          new Attempt.Failed<>(new Failure.Unreachable(message));
    };
  }

  @Override
  public Attempt<Optional<Map<String, Object>>> pod(String name) throws InterruptedException {
    return toOptional(reader.readWhole(Kind.POD, ObjectKey.of(namespace, name)));
  }

  @Override
  public Attempt<Creation> create(String name, Map<String, Object> pod)
      throws InterruptedException {
    Document document = Document.empty();
    pod.forEach((member, value) -> {
      if (member.equals("metadata") && value instanceof Map<?, ?> metadata) {
        metadata.forEach(
            (key, metadataValue) -> document.set(metadataValue, member, String.valueOf(key)));
      } else {
        document.set(value, member);
      }
    });
    document.set(name, "metadata", "name").set(namespace, "metadata", "namespace");
    return switch (writer.create(Kind.POD, ObjectKey.of(namespace, name), document)) {
      case WriteResult.Written<Pod> _ -> Attempt.done(Creation.CREATED);
      case WriteResult.Conflict<Pod> _ -> Attempt.done(Creation.EXISTS);
      case WriteResult.Gone<Pod> _ ->
          new Attempt.Failed<>(new Failure.Unreachable("unknown namespace " + namespace));
      case WriteResult.Rejected<Pod>(int code, String message) -> {
        String problem = "the API server rejected pod " + name + " (" + code + "): " + message;
        yield code == INVALID || code == MALFORMED
            ? Attempt.rejected(problem)
            : new Attempt.Failed<>(
                new Failure.Unreachable(problem)); // rights, quotas and policies may change
      }
      case WriteResult.Unreachable<Pod>(String message) ->
          new Attempt.Failed<>(new Failure.Uncertain(message));
    };
  }

  @Override
  public Attempt<Deletion> delete(String name, Uid uid) throws InterruptedException {
    return switch (writer.delete(Kind.POD, ObjectKey.of(namespace, name), uid)) {
      case WriteResult.Written<Pod> _ -> Attempt.done(Deletion.TERMINATING);
      case WriteResult.Gone<Pod> _ -> Attempt.done(Deletion.ABSENT);
      // another pod has the name now
      case WriteResult.Conflict<Pod> _ -> Attempt.done(Deletion.ABSENT);
      case WriteResult.Rejected<Pod>(int code, String message) ->
          Attempt.rejected(
              "the API server rejected the deletion of pod %s (%s): %s"
                  .formatted(name, code, message));
      case WriteResult.Unreachable<Pod>(String message) ->
          new Attempt.Failed<>(new Failure.Uncertain(message));
    };
  }
}
