package dev.mooring.model;

/**
 * A VolumeAttachment.
 *
 * @param meta name, version, finalizers, annotations
 * @param attacher the driver that attaches
 * @param volumeName the PersistentVolume, "" for an inline volume
 * @param nodeName the node
 * @param attached whether the driver reports it attached
 * @param attachError the last attach error, "" for none
 * @param detachError the last detach error, "" for none
 */
public record Attachment(
    Meta meta,
    String attacher,
    String volumeName,
    String nodeName,
    boolean attached,
    String attachError,
    String detachError)
    implements Resource {}
