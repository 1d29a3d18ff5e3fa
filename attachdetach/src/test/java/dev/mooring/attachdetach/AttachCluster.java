package dev.mooring.attachdetach;

import dev.mooring.attachdetach.state.AttachCaches;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Quantity;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Request;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import dev.mooring.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** In-memory cluster with builders for the objects of this module's tests, and with faults. */
public final class AttachCluster {
  public static final String NS = "ns";

  /** Server that the controllers use. */
  public final FaultyCluster server =
      new FaultyCluster().onWrite(this::answerWrite).onRead(this::answerRead);

  private final InMemoryCluster cluster = server.cluster();
  public final SharedInformers informers = cluster.informers();
  public final Informer<Pod> pods =
      informers.of(Kind.POD, IndexSet.PODS_BY_CLAIM, AttachDetachController.PODS_BY_NODE);
  public final Informer<Claim> claims = informers.of(Kind.CLAIM);
  public final Informer<Volume> volumes = informers.of(Kind.VOLUME);
  public final Informer<Node> nodes = informers.of(Kind.NODE);
  public final Informer<Attachment> attachments =
      informers.of(Kind.ATTACHMENT, AttachCaches.FOREIGN_ATTACHMENTS);
  public final Informer<CsiDriver> drivers = informers.of(Kind.CSI_DRIVER);
  public final List<String> events = new CopyOnWriteArrayList<>();
  public final List<String> notes = new CopyOnWriteArrayList<>();

  /** Answers patches of node statuses; null for the normal answer. */
  public volatile @Nullable Function<Document, WriteResult<Node>> onStatus;

  /** Runs after a status write and before its answer. */
  public volatile Runnable beforeAnswer = () -> {};

  /** Runs before an event is recorded. */
  public volatile Runnable beforeEvent = () -> {};

  /** Answer to the creation of an attachment; null for the normal answer. */
  public volatile @Nullable WriteResult<Attachment> onCreate;

  /** Answer to a patch of an attachment; null for the normal answer. */
  public volatile @Nullable WriteResult<Attachment> onPatch;

  /** Answer to a deletion; null for the normal answer. */
  public volatile @Nullable WriteResult<Attachment> onDelete;

  /** Makes deleted attachments stay because of a finalizer. */
  public volatile boolean finalizers = true;

  /** Leaves live reads unanswered. */
  public volatile boolean isMute;

  /** Attachment that the server has and the cache lacks; null for none. */
  public volatile @Nullable Attachment uncachedAttachment;

  /** Objects whose live version differs from the cache, by kind and key. */
  public final Map<String, Resource> live = new ConcurrentHashMap<>();

  public AttachCaches caches() {
    return new AttachCaches(pods, claims, volumes, nodes, drivers, attachments);
  }

  private static Meta meta(
      ObjectKey key, String uid, Map<String, String> annotations, Uid controller) {
    return TestObjects.metaOf(key)
        .uid(uid)
        .created(1)
        .annotations(annotations)
        .controller(controller)
        .meta();
  }

  /** Returns the ports of a controller; the list of other components' events is empty. */
  public ClusterPorts ports(Time time) {
    return TestPorts.of(server, this::recordEvent, time);
  }

  /** Starts a controller without plugins. */
  public StepwiseController start(SimTime time, AttachDetachConfig config)
      throws InterruptedException {
    StepwiseController steps =
        new StepwiseController(
            new AttachDetachController(config, informers, ports(time), LoadedPlugins.NONE).spec(),
            time);
    steps.start();
    return steps;
  }

  public <T extends Resource> T put(Kind<T> kind, T object) {
    return cluster.put(kind, object);
  }

  /** Adds a managed, ready node. */
  public Node node(String name, String... inUse) {
    return node(name, "True", List.of(), List.of(inUse), Map.of());
  }

  public Node node(
      String name,
      @Nullable String ready,
      List<String> taints,
      List<String> inUse,
      Map<String, String> attached) {
    Node node =
        TestObjects.node(
                meta(
                    ObjectKey.cluster(name),
                    "uid-" + name,
                    Map.of("volumes.kubernetes.io/controller-managed-attach-detach", "true"),
                    Uid.NONE))
            .taints(taints)
            .ready(ready)
            .volumesInUse(inUse)
            .volumesAttached(attached)
            .build();
    return put(Kind.NODE, node);
  }

  /** Adds a node whose kubelet attaches volumes itself. */
  public void unmanagedNode(String name, String... inUse) {
    put(
        Kind.NODE,
        TestObjects.node(meta(ObjectKey.cluster(name), "uid-" + name, Map.of(), Uid.NONE))
            .ready("True")
            .volumesInUse(List.of(inUse))
            .build());
  }

  /** Adds a bound pair of claim {@code c-<name>} and CSI volume {@code name}. */
  public void boundVolume(String name, String mode) {
    boundVolume(name, VolumeSource.csi("d", "h-" + name), Uid.NONE, mode);
  }

  public void boundVolume(String name, VolumeSource source, Uid owner, String... modes) {
    ObjectKey claim = ObjectKey.of(NS, "c-" + name);
    put(
        Kind.CLAIM,
        TestObjects.claim(meta(claim, "uid-c-" + name, Map.of(), owner))
            .accessModes(AccessModes.of(modes))
            .request(Quantity.ZERO)
            .storageClass("")
            .volumeName(name)
            .status(new Claim.Status(ClaimPhase.BOUND, List.of(), Map.of(), ""))
            .build());
    put(
        Kind.VOLUME,
        TestObjects.volume(meta(ObjectKey.cluster(name), "uid-" + name, Map.of(), Uid.NONE))
            .capacity(Map.of())
            .source(source)
            .accessModes(AccessModes.of(modes))
            .claimRef(new ClaimRef(claim, Uid.of("uid-c-" + name)))
            .status(new Volume.Status(VolumePhase.BOUND, "", ""))
            .build());
  }

  /** Adds a running pod that uses the claims of these volumes. */
  public Pod pod(String namespace, String name, String node, String... volumeNames) {
    return pod(namespace, name, "uid-" + name, node, Pod.Phase.RUNNING, volumeNames);
  }

  public Pod pod(
      String namespace,
      String name,
      String uid,
      String node,
      Pod.Phase phase,
      String... volumeNames) {
    Pod pod =
        TestObjects.pod(meta(ObjectKey.of(namespace, name), uid, Map.of(), Uid.NONE))
            .nodeName(node)
            .claims(List.of(volumeNames).stream().map(v -> "c-" + v).toList())
            .phase(phase)
            .containersStopped(phase != Pod.Phase.RUNNING)
            .build();
    return put(Kind.POD, pod);
  }

  /** Adds a running pod with an inline volume. */
  public Pod inlinePod(String namespace, String name, String node, VolumeSource source) {
    return put(
        Kind.POD,
        TestObjects.pod(meta(ObjectKey.of(namespace, name), "uid-" + name, Map.of(), Uid.NONE))
            .nodeName(node)
            .inline(List.of(new Pod.Inline("in", source)))
            .phase(Pod.Phase.RUNNING)
            .containersStopped(false)
            .build());
  }

  /** Starts containers of the pod without a change of its phase. */
  public void startContainers(String pod) {
    Pod cachedPod = pods.get(ObjectKey.of(NS, pod)).orElseThrow();
    put(Kind.POD, TestObjects.like(cachedPod).containersStopped(false).build());
  }

  public void driver(String name, boolean attachRequired) {
    put(
        Kind.CSI_DRIVER,
        TestObjects.csiDriver(meta(ObjectKey.cluster(name), "uid-" + name, Map.of(), Uid.NONE))
            .attachRequired(attachRequired)
            .build());
  }

  public Attachment attachment(
      ObjectKey key,
      String volume,
      String node,
      boolean isDeleted,
      boolean attached,
      String attachError,
      String detachError) {
    Attachment attachment =
        TestObjects.attachment(key)
            .uid("uid-" + key.name())
            .created(1)
            .deleted(isDeleted ? 1 : 0)
            .attacher("d")
            .volumeName(volume)
            .nodeName(node)
            .attached(attached)
            .attachError(attachError)
            .detachError(detachError)
            .build();
    return put(Kind.ATTACHMENT, attachment);
  }

  /** Changes an object on the server only; the caches never see it. */
  public <T extends Resource> void putLive(Kind<T> kind, T object) {
    live.put(kind + " " + object.key(), object);
  }

  public <T extends Resource> void remove(Informer<T> informer, T object) {
    cluster.remove(informer.kind(), object.key());
  }

  private @Nullable WriteResult<?> answerWrite(Request request) {
    return switch (request.verb()) {
      case CREATE -> onCreate;
      case PATCH -> onPatch;
      case PATCH_STATUS -> patchStatus(request);
      case DELETE -> delete(request);
      case GET, GET_WHOLE, LIST -> throw new IllegalArgumentException("no write: " + request);
    };
  }

  private WriteResult<?> patchStatus(Request request) {
    Function<Document, WriteResult<Node>> answer = onStatus;
    if (answer != null) {
      WriteResult<Node> result = answer.apply(request.document());
      if (!(result instanceof WriteResult.Written<Node>)) {
        return result;
      }
    }
    WriteResult<?> written = cluster.patchStatus(request.kind(), request.key(), request.document());
    beforeAnswer.run();
    return written;
  }

  private @Nullable WriteResult<?> delete(Request request) {
    Attachment cached = attachments.snapshot().get(request.key()).orElse(null);
    if (onDelete == null && finalizers && cached != null && cached.meta().finalizers().isEmpty()) {
      long version = request.document().version();
      Attachment protectedAttachment =
          put(Kind.ATTACHMENT, TestObjects.like(cached).finalizer("external-attacher/d").build());
      boolean isNewest = version == cached.meta().resourceVersion();
      return cluster.delete(
          Kind.ATTACHMENT,
          request.key(),
          request.uid(),
          isNewest ? protectedAttachment.meta().resourceVersion() : version);
    }
    return onDelete;
  }

  private @Nullable ReadResult<?> answerRead(Request request) {
    if (isMute) {
      return new ReadResult.Failed<>("no answer");
    }
    Attachment uncached = uncachedAttachment;
    if (request.kind().equals(Kind.ATTACHMENT)
        && uncached != null
        && uncached.key().equals(request.key())) {
      return new ReadResult.Found<>(uncached);
    }
    Resource liveObject = live.get(request.kind() + " " + request.key());
    return liveObject == null ? null : new ReadResult.Found<>(liveObject);
  }

  private List<Request> requests(Verb verb) {
    return server.requests().stream().filter(request -> request.verb() == verb).toList();
  }

  public List<Document> statusPatches() {
    return requests(Verb.PATCH_STATUS).stream().map(Request::document).toList();
  }

  public List<Document> attachmentPatches() {
    return requests(Verb.PATCH).stream().map(Request::document).toList();
  }

  public List<String> reads() {
    return requests(Verb.GET).stream().map(read -> read.kind() + " " + read.key()).toList();
  }

  /** Records an event. */
  public void recordEvent(ClusterEvent event) {
    beforeEvent.run();
    events.add(event.subject().name() + " " + event.type() + " " + event.reason());
    notes.add(event.note());
  }

  /** Returns the notes of all events so far, and forgets the events. */
  public List<String> takeNotes() {
    List<String> notesBefore = new ArrayList<>(notes);
    notes.clear();
    events.clear();
    return notesBefore;
  }
}
