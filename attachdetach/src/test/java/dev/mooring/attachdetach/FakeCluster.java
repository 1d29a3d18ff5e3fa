package dev.mooring.attachdetach;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Indexes;
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
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in memory, with what the tests of this controller want to go wrong in it. Writes of an
 * older version, or of another object of that name, are conflicts as they are of a server.
 */
public final class FakeCluster implements ClusterWriter, LiveReader, EventSink {
  public static final String NS = "ns";
  private final InMemoryCluster cluster = new InMemoryCluster();
  public final SharedInformers informers = cluster.informers();
  public final Informer<Pod> pods =
      informers.of(Kind.POD, Indexes.PODS_BY_CLAIM, AttachDetachController.PODS_BY_NODE);
  public final Informer<Claim> claims = informers.of(Kind.CLAIM);
  public final Informer<Volume> volumes = informers.of(Kind.VOLUME);
  public final Informer<Node> nodes = informers.of(Kind.NODE);
  public final Informer<Attachment> attachments = informers.of(Kind.ATTACHMENT);
  public final Informer<CsiDriver> drivers = informers.of(Kind.CSI_DRIVER);
  public final List<Document> statusPatches = new CopyOnWriteArrayList<>();
  public final List<String> events = new CopyOnWriteArrayList<>();
  public final List<String> notes = new CopyOnWriteArrayList<>();

  /** What the server says to patches of node statuses; null for the usual. */
  public volatile @Nullable Function<Document, WriteResult<Node>> onStatus;

  /** What somebody does after a status was written and before that is answered. */
  public volatile Runnable beforeAnswer = () -> {};

  /** What the server says to the creation of an attachment; null for the usual. */
  public volatile @Nullable WriteResult<Attachment> onCreate;

  /** What a patch of an attachment is answered with; null for the usual. */
  public volatile @Nullable WriteResult<Attachment> onPatch;

  /** The patches of attachments. */
  public final List<Document> attachmentPatches = new CopyOnWriteArrayList<>();

  /** What a deletion is answered with. */
  public volatile @Nullable WriteResult<Attachment> onDelete;

  /** Whether attachments stay when they are deleted, as finalizers have it. */
  public volatile boolean finalizers = true;

  /** Whether nobody answers live reads. */
  public volatile boolean mute;

  /** An attachment that the server has and the cache has yet to see; null for none. */
  public volatile @Nullable Attachment unseen;

  /** What the server has otherwise than the caches, by kind and key. */
  public final Map<String, Resource> live = new ConcurrentHashMap<>();

  /** What was read past the caches. */
  public final List<String> reads = new CopyOnWriteArrayList<>();

  private static Meta meta(
      ObjectKey key, String uid, Map<String, String> annotations, Uid controller) {
    return Builders.metaOf(key)
        .uid(uid)
        .created(1)
        .annotations(annotations)
        .controller(controller)
        .meta();
  }

  /** What a controller acts on it through; there are no events of others. */
  public ClusterPorts ports(Time time) {
    return new ClusterPorts(
        this, this, this, (key, uid) -> new ReadResult.Found<>(List.of()), time);
  }

  /** Somebody puts it there. */
  public <T extends Resource> T put(Kind<T> kind, T object) {
    return cluster.put(kind, object);
  }

  /** A node that is managed and ready. */
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
        Builders.node(
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

  /** A node whose volumes its kubelet attaches by itself. */
  public void unmanagedNode(String name) {
    put(
        Kind.NODE,
        Builders.node(meta(ObjectKey.cluster(name), "uid-" + name, Map.of(), Uid.NONE)).build());
  }

  /** A bound pair of claim {@code c-<name>} and CSI volume {@code name}. */
  public void boundVolume(String name, String mode) {
    boundVolume(name, VolumeSource.csi("d", "h-" + name), Uid.NONE, mode);
  }

  public void boundVolume(String name, VolumeSource source, Uid owner, String... modes) {
    ObjectKey claim = ObjectKey.of(NS, "c-" + name);
    put(
        Kind.CLAIM,
        Builders.claim(meta(claim, "uid-c-" + name, Map.of(), owner))
            .accessModes(AccessModes.of(modes))
            .request(Quantity.ZERO)
            .storageClass("")
            .volumeName(name)
            .status(new Claim.Status(ClaimPhase.BOUND, List.of(), Map.of(), ""))
            .build());
    put(
        Kind.VOLUME,
        Builders.volume(meta(ObjectKey.cluster(name), "uid-" + name, Map.of(), Uid.NONE))
            .capacity(Map.of())
            .source(source)
            .accessModes(AccessModes.of(modes))
            .claimRef(new ClaimRef(claim, Uid.of("uid-c-" + name)))
            .status(new Volume.Status(VolumePhase.BOUND, "", ""))
            .build());
  }

  /** A running pod that uses the claims of these volumes. */
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
        Builders.pod(meta(ObjectKey.of(namespace, name), uid, Map.of(), Uid.NONE))
            .nodeName(node)
            .claims(List.of(volumeNames).stream().map(v -> "c-" + v).toList())
            .phase(phase)
            .build();
    return put(Kind.POD, pod);
  }

  public void driver(String name, boolean attachRequired) {
    put(
        Kind.CSI_DRIVER,
        Builders.csiDriver(meta(ObjectKey.cluster(name), "uid-" + name, Map.of(), Uid.NONE))
            .attachRequired(attachRequired)
            .build());
  }

  public Attachment attachment(
      ObjectKey key,
      String volume,
      String node,
      boolean deleting,
      boolean attached,
      String attachError,
      String detachError) {
    Attachment attachment =
        Builders.attachment(key)
            .uid("uid-" + key.name())
            .created(1)
            .deleted(deleting ? 1 : 0)
            .attacher("d")
            .volumeName(volume)
            .nodeName(node)
            .attached(attached)
            .attachError(attachError)
            .detachError(detachError)
            .build();
    return put(Kind.ATTACHMENT, attachment);
  }

  /** The server has it so, and the caches never hear of it. */
  public <T extends Resource> void onlyLive(Kind<T> kind, T object) {
    live.put(kind + " " + object.key(), object);
  }

  /** It is gone. */
  public <T extends Resource> void remove(Informer<T> informer, T object) {
    cluster.remove(informer.kind(), object.key());
  }

  @Override
  @SuppressWarnings("unchecked") // by kind
  public <T extends Resource> WriteResult<T> patchStatus(
      Kind<T> kind, ObjectKey key, Document patch) {
    statusPatches.add(patch);
    Function<Document, WriteResult<Node>> answer = onStatus;
    if (answer != null) {
      WriteResult<Node> result = answer.apply(patch);
      if (!(result instanceof WriteResult.Written<Node>)) {
        return (WriteResult<T>) result;
      }
    }
    WriteResult<T> written = cluster.patchStatus(kind, key, patch);
    beforeAnswer.run();
    return written;
  }

  @Override
  @SuppressWarnings("unchecked") // by kind
  public <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey key, Document object) {
    if (onCreate != null) {
      return (WriteResult<T>) onCreate;
    }
    return cluster.create(kind, key, object);
  }

  @Override
  @SuppressWarnings("unchecked") // by kind
  public <T extends Resource> WriteResult<T> delete(
      Kind<T> kind, ObjectKey key, Uid uid, long version) {
    if (onDelete != null) {
      return (WriteResult<T>) onDelete;
    }
    Attachment known = attachments.snapshot().get(key).orElse(null);
    long named = version;
    if (known != null && finalizers && known.meta().finalizers().isEmpty()) {
      Attachment held =
          put(Kind.ATTACHMENT, Builders.like(known).finalizer("external-attacher/d").build());
      named = version == known.meta().resourceVersion() ? held.meta().resourceVersion() : version;
    }
    return cluster.delete(kind, key, uid, named);
  }

  @Override
  @SuppressWarnings("unchecked") // by kind
  public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch) {
    attachmentPatches.add(patch);
    WriteResult<?> answer = onPatch;
    return answer == null ? cluster.patch(kind, key, patch) : (WriteResult<T>) answer;
  }

  @Override
  @SuppressWarnings("unchecked") // by kind
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
    reads.add(kind + " " + key);
    if (mute) {
      return new ReadResult.Failed<>("no answer");
    }
    Attachment ahead = unseen;
    if (kind.equals(Kind.ATTACHMENT) && ahead != null && ahead.key().equals(key)) {
      return (ReadResult<T>) new ReadResult.Found<>(ahead);
    }
    Resource otherwise = live.get(kind + " " + key);
    if (otherwise != null) {
      return (ReadResult<T>) new ReadResult.Found<>(otherwise);
    }
    return cluster.read(kind, key);
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
    return new ReadResult.Failed<>("not asked for here");
  }

  @Override
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
    return new ReadResult.Failed<>("not asked for here");
  }

  @Override
  public void tell(ClusterEvent event) {
    events.add(event.about().name() + " " + event.type() + " " + event.reason());
    notes.add(event.note());
  }

  /** The events so far, which are then forgotten. */
  public List<String> takeNotes() {
    List<String> taken = new ArrayList<>(notes);
    notes.clear();
    events.clear();
    return taken;
  }
}
