package dev.mooring.csi.execute;

import dev.mooring.csi.decide.Publication;
import dev.mooring.informer.Index;
import dev.mooring.model.Attachment;

/** Finds the VolumeAttachments of one volume on one node. */
public final class PublicationIndex {
  /** VolumeAttachments by what is recorded with them; incomplete records are left out. */
  public static final Index<Attachment, Publication> BY_RECORD =
      new Index<>(
          "attachments by publication",
          attachment -> Publication.complete(attachment).stream().toList());

  private PublicationIndex() {}
}
