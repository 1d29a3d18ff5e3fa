package dev.mooring.attachdetach;

import dev.mooring.cluster.ClusterEvent;
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
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Caches with objects in them, and writes that go straight into the caches. */
public final class FakeCluster implements ClusterWriter, LiveReader, EventSink {
  public static final String NS = "ns";
  public final SharedInformers informers = new SharedInformers();
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

  /** What the server says to the creation of an attachment; null for the usual. */
  public volatile @Nullable WriteResult<Attachment> onCreate;

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

  private long version;

  private synchronized Meta meta(
      ObjectKey key, String uid, Map<String, String> annotations, Uid controller) {
    return new Meta(
        key, Uid.of(uid), ++version, 1, 0, Map.of(), annotations, List.of(), controller);
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
        new Node(
            meta(
                ObjectKey.cluster(name),
                "uid-" + name,
                Map.of("volumes.kubernetes.io/controller-managed-attach-detach", "true"),
                Uid.NONE),
            taints,
            ready,
            inUse,
            attached);
    nodes.wrote(node);
    return node;
  }

  /** A node whose volumes its kubelet attaches by itself. */
  public void unmanagedNode(String name) {
    nodes.wrote(
        new Node(
            meta(ObjectKey.cluster(name), "uid-" + name, Map.of(), Uid.NONE),
            List.of(),
            "True",
            List.of(),
            Map.of()));
  }

  /** A bound pair of claim {@code c-<name>} and CSI volume {@code name}. */
  public void boundVolume(String name, String mode) {
    boundVolume(name, VolumeSource.csi("d", "h-" + name), Uid.NONE, mode);
  }

  public void boundVolume(String name, VolumeSource source, Uid owner, String... modes) {
    ObjectKey claim = ObjectKey.of(NS, "c-" + name);
    claims.wrote(
        new Claim(
            meta(claim, "uid-c-" + name, Map.of(), owner),
            AccessModes.of(modes),
            Quantity.ZERO,
            "",
            name,
            VolumeMode.FILESYSTEM,
            null,
            "",
            false,
            new Claim.Status(ClaimPhase.BOUND, List.of(), Map.of(), "")));
    volumes.wrote(
        new Volume(
            meta(ObjectKey.cluster(name), "uid-" + name, Map.of(), Uid.NONE),
            Map.of(),
            source,
            AccessModes.of(modes),
            new ClaimRef(claim, Uid.of("uid-c-" + name)),
            ReclaimPolicy.RETAIN,
            "",
            VolumeMode.FILESYSTEM,
            "",
            new Volume.Status(VolumePhase.BOUND, "", "")));
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
        new Pod(
            meta(ObjectKey.of(namespace, name), uid, Map.of(), Uid.NONE),
            node,
            List.of(volumeNames).stream().map(v -> "c-" + v).toList(),
            List.of(),
            phase,
            false,
            false);
    pods.wrote(pod);
    return pod;
  }

  public void driver(String name, boolean attachRequired) {
    drivers.wrote(
        new CsiDriver(
            meta(ObjectKey.cluster(name), "uid-" + name, Map.of(), Uid.NONE),
            attachRequired,
            false));
  }

  public synchronized Attachment attachment(
      ObjectKey key,
      String volume,
      String node,
      boolean deleting,
      boolean attached,
      String attachError,
      String detachError) {
    Attachment attachment =
        new Attachment(
            new Meta(
                key,
                Uid.of("uid-" + key.name()),
                ++version,
                1,
                deleting ? 1 : 0,
                Map.of(),
                Map.of(),
                List.of()),
            "d",
            volume,
            node,
            attached,
            attachError,
            detachError);
    attachments.wrote(attachment);
    return attachment;
  }

  /** The server has it so, and the caches never hear of it. */
  public <T extends Resource> void onlyLive(Kind<T> kind, T object) {
    live.put(kind + " " + object.key(), object);
  }

  /** It is gone. */
  public <T extends Resource> void remove(Informer<T> informer, T object) {
    informer.deleted(object.key(), object.meta().uid());
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
    Node node = nodes.snapshot().get(key).orElse(null);
    if (node == null) {
      return new WriteResult.Gone<>();
    }
    Map<String, String> attached = new HashMap<>();
    Map<String, Object> status = (Map<String, Object>) patch.members().get("status");
    Object list = status == null ? null : status.get("volumesAttached");
    if (list != null) {
      for (Object one : (List<Object>) list) {
        Map<String, Object> entry = (Map<String, Object>) one;
        attached.put(String.valueOf(entry.get("name")), String.valueOf(entry.get("devicePath")));
      }
    }
    Meta meta = node.meta();
    Node now =
        new Node(
            meta(key, meta.uid().toString(), meta.annotations(), Uid.NONE),
            node.taints(),
            node.ready(),
            node.volumesInUse(),
            attached);
    nodes.wrote(now);
    return (WriteResult<T>) new WriteResult.Written<>(now);
  }

  @Override
  @SuppressWarnings("unchecked") // by kind
  public <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey key, Document object) {
    if (onCreate != null) {
      return (WriteResult<T>) onCreate;
    }
    Map<String, Object> spec = (Map<String, Object>) object.members().get("spec");
    Map<String, Object> source = spec == null ? Map.of() : (Map<String, Object>) spec.get("source");
    return (WriteResult<T>)
        new WriteResult.Written<>(
            attachment(
                key,
                String.valueOf(
                    source == null ? "" : source.getOrDefault("persistentVolumeName", "")),
                String.valueOf(spec == null ? "" : spec.get("nodeName")),
                false,
                false,
                "",
                ""));
  }

  @Override
  @SuppressWarnings("unchecked") // by kind
  public <T extends Resource> WriteResult<T> delete(Kind<T> kind, ObjectKey key, Uid uid) {
    if (onDelete != null) {
      return (WriteResult<T>) onDelete;
    }
    Attachment known = attachments.snapshot().get(key).orElse(null);
    if (known == null) {
      return new WriteResult.Gone<>();
    }
    if (!finalizers) {
      remove(attachments, known);
      return new WriteResult.Gone<>();
    }
    return (WriteResult<T>)
        new WriteResult.Written<>(
            attachment(key, known.volumeName(), known.nodeName(), true, known.attached(), "", ""));
  }

  @Override
  public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch) {
    throw new UnsupportedOperationException("attach/detach patches statuses only");
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
    return informers
        .of(kind)
        .snapshot()
        .get(key)
        .<ReadResult<T>>map(ReadResult.Found::new)
        .orElseGet(ReadResult.Absent::new);
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
