package dev.mooring.benchmarks.cluster;

import dev.mooring.benchmarks.PollingWait;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.Reflector;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeListWatch;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A client that creates and observes objects in a test cluster. The names of its objects begin with
 * {@value #PREFIX}. Thread-safe.
 */
final class TestCluster implements AutoCloseable {
  static final String PREFIX = "mooring-bench-";
  static final String NAMESPACE = "default";

  /** CSI driver of the attached volumes. This class attaches immediately in its place. */
  static final String DRIVER = "bench.mooring.dev";

  /** Lease that this process holds until a standby may take over. */
  static final ObjectKey LEASE = ObjectKey.of(NAMESPACE, PREFIX + "leader");

  private static final int LEASE_SECONDS = 15;
  private static final int PARALLEL_STEPS = 32;

  private static final Duration CLEANUP_TIMEOUT = Duration.ofMinutes(1);

  @FunctionalInterface
  interface NumberedStep {
    void run(int number) throws InterruptedException;
  }

  private final KubeConnection connection;
  private final SystemTime time = new SystemTime();
  private final KubeCluster client;
  private final List<Reflector<?>> reflectors = new ArrayList<>();
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicReference<RequestCount> requests = new AtomicReference<>(RequestCount.NONE);
  private final AtomicReference<RequestCount> standInRequests =
      new AtomicReference<>(RequestCount.NONE);
  final Informer<Claim> claims;
  final Informer<Volume> volumes;
  final Informer<Node> nodes;
  final Informer<Attachment> attachments;
  private final Informer<Pod> pods;
  private final Informer<StorageClass> classes;

  TestCluster(KubeConnection connection) throws InterruptedException {
    this.connection = connection;
    connection.listen(this::countRequest);
    this.client = KubeCluster.alone(connection, time);
    this.claims = startInformer(Kind.CLAIM);
    this.volumes = startInformer(Kind.VOLUME);
    this.nodes = startInformer(Kind.NODE);
    this.attachments = startInformer(Kind.ATTACHMENT);
    this.pods = startInformer(Kind.POD);
    this.classes = startInformer(Kind.STORAGE_CLASS);
    for (Informer<?> informer : List.of(claims, volumes, nodes, attachments, pods, classes)) {
      informer.awaitSynced();
    }
    attachments.onChange(this::attach);
  }

  private <T extends Resource> Informer<T> startInformer(Kind<T> kind) {
    Informer<T> informer = new Informer<>(kind, List.of());
    Reflector<T> reflector =
        new Reflector<>(
            informer,
            new KubeListWatch<>(connection, kind),
            time,
            () -> ThreadLocalRandom.current().nextDouble());
    reflector.start();
    reflectors.add(reflector);
    return informer;
  }

  private void countRequest(String method, int code, long nanos) {
    // negative duration: a watch; no code: the server may not have received the request
    if (nanos >= 0 && code > 0) {
      requests.accumulateAndGet(RequestCount.ofRequest(method, code), RequestCount::plus);
    }
  }

  RequestCount requestCount() {
    return requests.get();
  }

  RequestCount standInRequestCount() {
    return standInRequests.get();
  }

  private void attach(Change<Attachment> change) {
    if (change instanceof Change.Added<Attachment>(Attachment attachment)
        && attachment.attacher().equals(DRIVER)) {
      start(() -> {
        client.patchStatus(
            Kind.ATTACHMENT, attachment.key(), Document.empty().set(true, "status", "attached"));
        countStandInRequest();
      });
    }
  }

  /** Counts a request that this process sends in place of a user or of the driver. */
  void countStandInRequest() {
    standInRequests.accumulateAndGet(new RequestCount(1, 0), RequestCount::plus);
  }

  /**
   * Returns objects that this benchmark did not create: it must not run where others have volumes.
   */
  List<String> findForeign() {
    List<String> foreign = new ArrayList<>();
    for (Informer<?> informer : List.of(claims, volumes, attachments)) {
      for (Resource object : informer.snapshot().objects()) {
        if (!isOwn(object)) {
          foreign.add(informer.kind() + " " + object.key());
        }
      }
    }
    return foreign;
  }

  private static boolean isOwn(Resource object) {
    return object.key().name().startsWith(PREFIX)
        || object instanceof Volume volume
            && volume.claimRef() != null
            && volume.claimRef().claim().name().startsWith(PREFIX)
        || object instanceof Attachment attachment && attachment.attacher().equals(DRIVER);
  }

  <T extends Resource> T create(Kind<T> kind, String name, Document body)
      throws InterruptedException {
    return requireWritten(
        client.create(kind, key(kind, name), body), "making " + kind + " " + name);
  }

  <T extends Resource> T patch(Kind<T> kind, String name, Document body)
      throws InterruptedException {
    return requireWritten(
        client.patch(kind, key(kind, name), body), "changing " + kind + " " + name);
  }

  <T extends Resource> T patchStatus(Kind<T> kind, String name, Document body)
      throws InterruptedException {
    return requireWritten(
        client.patchStatus(kind, key(kind, name), body),
        "patching the status of " + kind + " " + name);
  }

  void holdLease() throws InterruptedException {
    removeLease();
    create(
        Kind.LEASE,
        LEASE.name(),
        Document.empty()
            .set(PREFIX + "process", "spec", "holderIdentity")
            .set(3600, "spec", "leaseDurationSeconds"));
  }

  /** Renews the Lease for the duration that both controllers have by default. */
  void renewLease() throws InterruptedException {
    patch(
        Kind.LEASE,
        LEASE.name(),
        Document.empty()
            .set(LEASE_SECONDS, "spec", "leaseDurationSeconds")
            .set(time.now().truncatedTo(ChronoUnit.MICROS).toString(), "spec", "renewTime"));
  }

  void releaseLease() throws InterruptedException {
    patch(Kind.LEASE, LEASE.name(), Document.empty().set("", "spec", "holderIdentity"));
  }

  void removeLease() throws InterruptedException {
    if (client.read(Kind.LEASE, LEASE) instanceof ReadResult.Found<Lease>(Lease lease)) {
      client.delete(Kind.LEASE, LEASE, lease.meta().uid());
    }
  }

  <T extends Resource> void delete(Informer<T> informer, String name) throws InterruptedException {
    Kind<T> kind = informer.kind();
    ObjectKey key = key(kind, name);
    WriteResult<T> result = client.delete(kind, key, awaitCached(informer, key).meta().uid());
    if (!(result instanceof WriteResult.Written<T> || result instanceof WriteResult.Gone<T>)) {
      throw new IllegalStateException("deleting " + kind + " " + name + ": " + result);
    }
  }

  /** Waits for an object that was just created until the cache contains it. */
  static <T extends Resource> T awaitCached(Informer<T> informer, ObjectKey key)
      throws InterruptedException {
    AtomicReference<Optional<T>> cached = new AtomicReference<>(Optional.empty());
    new PollingWait(Duration.ofMillis(1), CLEANUP_TIMEOUT)
        .until(
            () -> "the watch of " + informer.kind() + " does not deliver " + key,
            () -> {
              cached.set(informer.get(key));
              return cached.get().isPresent();
            });
    return cached.get().orElseThrow();
  }

  static ObjectKey key(Kind<?> kind, String name) {
    return kind.namespaced() ? ObjectKey.of(NAMESPACE, name) : ObjectKey.cluster(name);
  }

  private static <T extends Resource> T requireWritten(WriteResult<T> result, String action) {
    if (result instanceof WriteResult.Written<T>(T written)) {
      return written;
    }
    throw new IllegalStateException(action + ": " + result);
  }

  @FunctionalInterface
  interface BackgroundJob {
    void run() throws InterruptedException;
  }

  Future<?> start(BackgroundJob job) {
    return executor.submit(() -> {
      job.run();
      return null;
    });
  }

  /** Waits for a job; throws {@link IllegalStateException} with its cause if it failed. */
  static void join(Future<?> job) throws InterruptedException {
    try {
      job.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IllegalStateException(String.valueOf(cause.getMessage()), cause);
    }
  }

  /**
   * Runs a step for each number below {@code count}, at most {@value #PARALLEL_STEPS} at the same
   * time.
   */
  void forEach(int count, NumberedStep step) throws InterruptedException {
    Semaphore permits = new Semaphore(PARALLEL_STEPS);
    List<Future<?>> jobs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int number = i;
      jobs.add(
          executor.submit(() -> {
            permits.acquire();
            try {
              step.run(number);
            } finally {
              permits.release();
            }
            return null;
          }));
    }
    for (Future<?> job : jobs) {
      join(job);
    }
  }

  /**
   * Deletes all objects of the benchmark, removes their finalizers, and waits until they are gone.
   *
   * @throws IllegalStateException if some remain
   */
  void cleanUp() throws InterruptedException {
    cleanUp(CLEANUP_TIMEOUT);
  }

  void cleanUp(Duration timeout) throws InterruptedException {
    for (Informer<?> informer : List.of(pods, attachments, claims, volumes, nodes, classes)) {
      remove(informer, timeout);
    }
  }

  private <T extends Resource> void remove(Informer<T> informer, Duration timeout)
      throws InterruptedException {
    new PollingWait(Duration.ofMillis(20), timeout)
        .untilZero(
            () -> describeRemaining(informer),
            () -> {
              List<T> remaining = findOwn(informer);
              forEach(remaining.size(), i -> remove(informer.kind(), remaining.get(i)));
              return remaining.size();
            });
  }

  private <T extends Resource> String describeRemaining(Informer<T> informer) {
    List<T> remaining = findOwn(informer);
    return "%d objects of kind %s remain after deletion, the first is %s: check that the API server at %s answers; the next run deletes them first"
        .formatted(
            remaining.size(),
            informer.kind(),
            remaining.stream()
                .findFirst()
                .map(object -> object.key().toString())
                .orElse("gone by now"),
            connection.address());
  }

  private static <T extends Resource> List<T> findOwn(Informer<T> informer) {
    List<T> ownObjects = new ArrayList<>();
    for (T object : informer.snapshot().objects()) {
      if (isOwn(object)) {
        ownObjects.add(object);
      }
    }
    return ownObjects;
  }

  private <T extends Resource> void remove(Kind<T> kind, T object) throws InterruptedException {
    client.delete(kind, object.key(), object.meta().uid());
    client.patch(kind, object.key(), Document.empty().set(null, "metadata", "finalizers"));
  }

  @Override
  public void close() {
    try {
      for (Reflector<?> reflector : reflectors) {
        reflector.stop();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    executor.shutdownNow();
    connection.close();
    time.close();
  }
}
