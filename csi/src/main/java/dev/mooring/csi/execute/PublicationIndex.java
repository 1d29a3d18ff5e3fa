package dev.mooring.csi.execute;

import dev.mooring.csi.decide.Publication;
import dev.mooring.informer.Index;
import dev.mooring.model.Attachment;

/** Index of VolumeAttachments by volume and node. */
public final class PublicationIndex {
  public static final Index<Attachment, Publication> BY_RECORD =
      new Index<>(
          "attachments by publication",
          attachment -> Publication.complete(attachment).stream().toList());

  private PublicationIndex() {}
}
