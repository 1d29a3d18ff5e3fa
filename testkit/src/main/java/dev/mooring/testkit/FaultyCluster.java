package dev.mooring.testkit;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ManifestWriter;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.cluster.WrittenObject;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * In-memory cluster with faults: records each request and lets a test replace answers. A replaced
 * request does not reach the cluster. Thread-safe.
 */
public final class FaultyCluster implements ClusterWriter, ManifestWriter, LiveReader {
  public enum Verb {
    CREATE,
    PATCH,
    PATCH_STATUS,
    DELETE,
    GET,
    GET_WHOLE,
    LIST;

    private boolean isWrite() {
      return switch (this) {
        case CREATE, PATCH, PATCH_STATUS, DELETE -> true;
        case GET, GET_WHOLE, LIST -> false;
      };
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * Recorded request.
   *
   * @param key key of the object; for lists only the namespace counts
   * @param document written content; for deletions the required uid and version; otherwise empty
   */
  public record Request(Verb verb, Kind<?> kind, ObjectKey key, Document document) {
    public Uid uid() {
      return Uid.of(new JsonTree(document.members()).child("metadata").text("uid"));
    }

    @Override
    public String toString() {
      return verb + " " + kind + " " + key;
    }
  }

  private final InMemoryCluster cluster = new InMemoryCluster();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final Deque<WriteResult<?>> nextWrites = new ConcurrentLinkedDeque<>();
  private final Set<String> forbidden = ConcurrentHashMap.newKeySet();
  private volatile Function<Request, @Nullable WriteResult<?>> onWrite = request -> null;
  private volatile Function<Request, @Nullable ReadResult<?>> onRead = request -> null;

  private volatile @Nullable WriteResult<ObjectKey> trialAnswer;
  private volatile boolean returnsReadObject = true;
  private volatile boolean interruptsWriters;
  private volatile Duration clockAhead = Duration.ZERO;

  public FaultyCluster() {}

  public void setClockAhead(Duration newClockAhead) {
    clockAhead = newClockAhead;
  }

  @Override
  public Duration clockAhead() {
    return clockAhead;
  }

  public InMemoryCluster cluster() {
    return cluster;
  }

  public List<Request> requests() {
    return List.copyOf(requests);
  }

  public List<Request> writes() {
    return requests.stream().filter(request -> request.verb().isWrite()).toList();
  }

  public void clearRequests() {
    requests.clear();
  }

  /**
   * Replaces the answers of all following writes.
   *
   * @param answer returns the answer; null to use the cluster's answer
   */
  public FaultyCluster onWrite(Function<Request, @Nullable WriteResult<?>> answer) {
    onWrite = answer;
    return this;
  }

  /**
   * Replaces the answers of the next writes, one each; later writes are answered as before.
   *
   * @param answer answers, which precede those of {@link #onWrite}
   */
  public FaultyCluster nextWrites(WriteResult<?>... answer) {
    nextWrites.addAll(List.of(answer));
    return this;
  }

  public void answerTrials(WriteResult<ObjectKey> answer) {
    trialAnswer = answer;
  }

  /** Interrupts the thread of each following write before the answer. */
  public FaultyCluster interruptWrites() {
    interruptsWriters = true;
    return this;
  }

  /** Makes each following patch return its result without the object that was read. */
  public FaultyCluster omitReadObject() {
    returnsReadObject = false;
    return this;
  }

  public FaultyCluster forbid(Kind<?> kind) {
    forbidden.add(resourceName(kind));
    return this;
  }

  /**
   * Replaces the answers of all following reads.
   *
   * @param answer returns the answer; null to use the cluster's answer
   */
  public FaultyCluster onRead(Function<Request, @Nullable ReadResult<?>> answer) {
    onRead = answer;
    return this;
  }

  private static String resourceName(Kind<?> kind) {
    return kind.plural() + "." + kind.group();
  }

  @SuppressWarnings("unchecked") // a test answers with the requested kind
  private <T extends Resource> WriteResult<T> answerWrite(
      Request request, Supplier<WriteResult<T>> defaultAnswer) throws InterruptedException {
    requests.add(request);
    if (interruptsWriters) {
      throw new InterruptedException();
    }
    WriteResult<?> nextWrite = nextWrites.poll();
    WriteResult<?> answer = nextWrite == null ? onWrite.apply(request) : nextWrite;
    return answer == null ? defaultAnswer.get() : (WriteResult<T>) answer;
  }

  @SuppressWarnings("unchecked") // a test answers with the requested kind
  private <T> ReadResult<T> answerRead(Request request, Supplier<ReadResult<T>> defaultAnswer) {
    requests.add(request);
    if (forbidden.contains(resourceName(request.kind()))) {
      return new ReadResult.Failed<>("403 forbidden");
    }
    ReadResult<?> answer = onRead.apply(request);
    return answer == null ? defaultAnswer.get() : (ReadResult<T>) answer;
  }

  private static Request request(Verb verb, Kind<?> kind, ObjectKey key) {
    return new Request(verb, kind, key, Document.empty());
  }

  @Override
  public <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey key, Document object)
      throws InterruptedException {
    return answerWrite(
        new Request(Verb.CREATE, kind, key, object), () -> cluster.create(kind, key, object));
  }

  private static Document toDocument(Map<String, ? extends @Nullable Object> members) {
    Document document = Document.empty();
    members.forEach((name, value) -> document.set(value, name));
    return document;
  }

  @SuppressWarnings("unchecked") // only Written has an object
  private static WriteResult<ObjectKey> withoutObject(WriteResult<?> result, ObjectKey key) {
    return result instanceof WriteResult.Written<?>
        ? new WriteResult.Written<>(key)
        : (WriteResult<ObjectKey>) result;
  }

  @Override
  public WriteResult<ObjectKey> create(
      Kind<?> kind, ObjectKey key, Map<String, ? extends @Nullable Object> members)
      throws InterruptedException {
    return withoutObject(create(kind, key, toDocument(members)), key);
  }

  @Override
  public WriteResult<ObjectKey> tryCreate(
      Kind<?> kind, ObjectKey key, Map<String, ? extends @Nullable Object> members) {
    WriteResult<ObjectKey> answer = trialAnswer;
    return answer == null ? new WriteResult.Written<>(key) : answer;
  }

  @Override
  public WriteResult<ObjectKey> deleteAndOrphan(Kind<?> kind, ObjectKey key, Uid uid, long version)
      throws InterruptedException {
    return withoutObject(delete(kind, key, uid, version), key);
  }

  @Override
  public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch)
      throws InterruptedException {
    return answerWrite(
        new Request(Verb.PATCH, kind, key, patch), () -> cluster.patch(kind, key, patch));
  }

  @Override
  public <T extends Resource> WrittenObject<T> patchAndRead(
      Kind<T> kind, ObjectKey key, Document patch) throws InterruptedException {
    WriteResult<T> result = patch(kind, key, patch);
    boolean isReturned = returnsReadObject && result instanceof WriteResult.Written;
    return new WrittenObject<>(
        result, isReturned ? cluster.read(kind, key).toOptional() : Optional.empty());
  }

  @Override
  public <T extends Resource> WriteResult<T> patchStatus(
      Kind<T> kind, ObjectKey key, Document patch) throws InterruptedException {
    return answerWrite(
        new Request(Verb.PATCH_STATUS, kind, key, patch),
        () -> cluster.patchStatus(kind, key, patch));
  }

  @Override
  public <T extends Resource> WriteResult<T> delete(
      Kind<T> kind, ObjectKey key, Uid uid, long version) throws InterruptedException {
    Document precondition = Document.empty().set(uid.toString(), "metadata", "uid");
    if (version != 0) {
      precondition.set(Long.toString(version), "metadata", "resourceVersion");
    }
    return answerWrite(
        new Request(Verb.DELETE, kind, key, precondition),
        () -> cluster.delete(kind, key, uid, version));
  }

  @Override
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
    return answerRead(request(Verb.GET, kind, key), () -> cluster.read(kind, key));
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
    return answerRead(request(Verb.GET_WHOLE, kind, key), () -> cluster.readWhole(kind, key));
  }

  @Override
  public boolean isForbidden(Kind<?> kind, ObjectKey key) {
    return forbidden.contains(resourceName(kind));
  }

  @Override
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
    return answerRead(
        request(Verb.LIST, kind, ObjectKey.of(namespace, "")), () -> cluster.list(kind, namespace));
  }
}
