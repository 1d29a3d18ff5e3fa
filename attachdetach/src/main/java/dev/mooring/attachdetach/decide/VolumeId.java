package dev.mooring.attachdetach.decide;

import dev.mooring.model.Attachment;
import dev.mooring.model.ObjectKey;
import java.util.Optional;

/**
 * A volume's unique name, {@code <plugin>/<name>}: how nodes' statuses name volumes. The plugin is
 * the part before the second slash; a name may hold slashes itself.
 *
 * @param text the unique name
 */
public record VolumeId(String text) implements Comparable<VolumeId> {
  /** The plugin of CSI volumes. */
  public static final String CSI = "kubernetes.io/csi";

  /**
   * No volume: what a node's status lists for a moment to have another version. A process that ends
   * in that moment leaves it there. Kubernetes' controller, too, takes it for a CSI volume, finds
   * no VolumeAttachment of it, and strikes it off.
   */
  public static final String NONE = CSI + "/mooring.dev^none";

  /** A CSI volume's driver and handle. */
  public record Csi(String driver, String handle) {
    /** The VolumeAttachment by which Kubernetes, and this controller, attach it to a node. */
    public ObjectKey attachment(String node) {
      return ObjectKey.cluster(Attachment.nameOf(driver, handle, node));
    }
  }

  /** The name of a volume of that plugin. */
  public static VolumeId of(String plugin, String name) {
    return new VolumeId(plugin + "/" + name);
  }

  /** The name of a CSI volume. */
  public static VolumeId csi(String driver, String handle) {
    return of(CSI, driver + "^" + handle);
  }

  private int cut() {
    return text.indexOf('/', text.indexOf('/') + 1);
  }

  /** The plugin's name; "" if this is no unique name. */
  public String plugin() {
    int cut = cut();
    return cut <= 0 ? "" : text.substring(0, cut);
  }

  /** The name that the plugin gave it. */
  public String name() {
    int cut = cut();
    return cut <= 0 ? text : text.substring(cut + 1);
  }

  /**
   * Driver and handle, if it is a CSI volume. Driver names hold no {@code ^}, handles may:
   * Kubernetes splits at every one and can then attach a volume but never detach it.
   */
  public Optional<Csi> csi() {
    String name = name();
    int caret = name.indexOf('^');
    return plugin().equals(CSI) && caret > 0
        ? Optional.of(new Csi(name.substring(0, caret), name.substring(caret + 1)))
        : Optional.empty();
  }

  /** As metrics label it: CSI volumes by their driver. */
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
