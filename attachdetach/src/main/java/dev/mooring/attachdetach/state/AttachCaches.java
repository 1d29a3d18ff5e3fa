package dev.mooring.attachdetach.state;

import dev.mooring.informer.Index;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Caches that the controller reads. Thread-safe.
 *
 * @param pods with the indexes {@link IndexSet#PODS_BY_CLAIM} and {@link #PODS_BY_NODE}
 * @param attachments with the index {@link #FOREIGN_ATTACHMENTS}, if volumes are attached
 */
public record AttachCaches(
    Informer<Pod> pods,
    Informer<Claim> claims,
    Informer<Volume> volumes,
    Informer<Node> nodes,
    Informer<CsiDriver> drivers,
    Informer<Attachment> attachments) {
  public static final Index<Pod, String> PODS_BY_NODE =
      new Index<>(
          "pods by node", pod -> pod.nodeName().isEmpty() ? List.of() : List.of(pod.nodeName()));

  private static final Pattern COMPUTED_NAME = Pattern.compile("csi-[0-9a-f]{64}");

  // attachments whose names no attach/detach controller computes; almost always there are none
  public static final Index<Attachment, String> FOREIGN_ATTACHMENTS =
      new Index<>(
          "attachments with foreign names by driver",
          attachment ->
              COMPUTED_NAME.matcher(attachment.key().name()).matches()
                  ? List.of()
                  : List.of(attachment.attacher()));

  public static AttachCaches of(SharedInformers informers) {
    return new AttachCaches(
        informers.of(Kind.POD, IndexSet.PODS_BY_CLAIM, PODS_BY_NODE),
        informers.of(Kind.CLAIM),
        informers.of(Kind.VOLUME),
        informers.of(Kind.NODE),
        informers.of(Kind.CSI_DRIVER),
        informers.of(Kind.ATTACHMENT, FOREIGN_ATTACHMENTS));
  }

  public @Nullable Node node(String name) {
    return nodes.get(ObjectKey.cluster(name)).orElse(null);
  }

  public @Nullable Volume volume(String name) {
    return volumes.get(ObjectKey.cluster(name)).orElse(null);
  }
}
