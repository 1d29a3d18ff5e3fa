package dev.mooring.testkit;

import dev.mooring.model.Attachment;
import dev.mooring.model.ObjectKey;

/** Builder of a VolumeAttachment. Default: not attached. */
public final class AttachmentBuilder extends ObjectBuilder<Attachment, AttachmentBuilder> {
  private String attacher = "example.com/disks";
  private String volumeName = "";
  private Attachment.InlineVolume inline = Attachment.InlineVolume.NONE;
  private String nodeName = "";
  private boolean attached = false;
  private String attachError = "";
  private String detachError = "";

  AttachmentBuilder(ObjectKey key) {
    super(key);
  }

  public AttachmentBuilder attacher(String value) {
    this.attacher = value;
    return this;
  }

  public AttachmentBuilder volumeName(String value) {
    this.volumeName = value;
    return this;
  }

  public AttachmentBuilder inline(Attachment.InlineVolume value) {
    this.inline = value;
    return this;
  }

  public AttachmentBuilder nodeName(String value) {
    this.nodeName = value;
    return this;
  }

  public AttachmentBuilder attached(boolean value) {
    this.attached = value;
    return this;
  }

  public AttachmentBuilder attachError(String value) {
    this.attachError = value;
    return this;
  }

  public AttachmentBuilder detachError(String value) {
    this.detachError = value;
    return this;
  }

  @Override
  public Attachment build() {
    return new Attachment(
        meta(), attacher, volumeName, inline, nodeName, attached, attachError, detachError);
  }
}
