package dev.mooring.csi.execute;

import dev.mooring.csi.decide.PublicationRecord;
import dev.mooring.informer.Index;
import dev.mooring.model.Attachment;

/** Index of VolumeAttachments by volume and node. */
public final class PublicationIndex {
  public static final Index<Attachment, PublicationRecord> BY_RECORD =
      new Index<>(
          "attachments by publication",
          attachment -> PublicationRecord.complete(attachment).stream().toList());

  private PublicationIndex() {}
}
