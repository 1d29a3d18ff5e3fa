package dev.mooring.storage;

import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

public final class AttachmentIndex {
  /**
   * VolumeAttachments by PersistentVolume name; excludes inline volumes of pods, which have no
   * name.
   */
  public static final Index<Attachment, String> BY_VOLUME =
      new Index<>("attachments by volume", attachment -> List.of(attachment.volumeName()));

  private AttachmentIndex() {}

  public static Optional<Attachment> findAny(Informer<Attachment> attachments, String volume) {
    Iterator<Attachment> iterator = attachments.findByIndex(BY_VOLUME, volume).iterator();
    return iterator.hasNext() ? Optional.of(iterator.next()) : Optional.empty();
  }
}
