package dev.mooring.attachdetach.decide;

import dev.mooring.model.Attachment;
import dev.mooring.model.ObjectKey;
import java.util.Optional;

/**
 * Unique name of a volume, {@code <plugin>/<name>}, as node statuses use it. The plugin is the part
 * before the second slash; the name may contain slashes.
 */
public record VolumeId(String text) implements Comparable<VolumeId> {
  public static final String CSI = "kubernetes.io/csi";

  // Placeholder that changes a node's resource version: the controller adds it to the node's list
  // for a moment. A process that ends in that moment leaves it there. Kubernetes' controller takes
  // it for a CSI volume, finds no VolumeAttachment, and removes it.
  public static final String PLACEHOLDER = CSI + "/mooring.dev^none";

  public record Csi(String driver, String handle) {
    public ObjectKey attachment(String node) {
      return ObjectKey.cluster(Attachment.nameOf(driver, handle, node));
    }
  }

  public static VolumeId of(String plugin, String name) {
    return new VolumeId(plugin + "/" + name);
  }

  public static VolumeId csi(String driver, String handle) {
    return of(CSI, driver + "^" + handle);
  }

  private int pluginEnd() {
    return text.indexOf('/', text.indexOf('/') + 1);
  }

  public String plugin() {
    int pluginEnd = pluginEnd();
    return pluginEnd <= 0 ? "" : text.substring(0, pluginEnd);
  }

  public String name() {
    int pluginEnd = pluginEnd();
    return pluginEnd <= 0 ? text : text.substring(pluginEnd + 1);
  }

  /**
   * Returns driver and handle of a CSI volume. Driver names contain no {@code ^}, but handles may:
   * Kubernetes splits at every one, and can then attach a volume but never detach it.
   */
  public Optional<Csi> csi() {
    String name = name();
    int caret = name.indexOf('^');
    return plugin().equals(CSI) && caret > 0
        ? Optional.of(new Csi(name.substring(0, caret), name.substring(caret + 1)))
        : Optional.empty();
  }

  /** Returns whether the controller would give its attachment of this volume that name. */
  public boolean isNamedByUs(Attachment attachment) {
    return csi()
        .filter(csi ->
            csi.driver().equals(attachment.attacher())
                && csi.attachment(attachment.nodeName()).equals(attachment.key()))
        .isPresent();
  }

  public String label() {
    return csi().map(csi -> CSI + ":" + csi.driver()).orElse(plugin());
  }

  @Override
  public int compareTo(VolumeId other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
