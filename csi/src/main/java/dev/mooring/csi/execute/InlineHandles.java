package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.execute.VolumeSourceReader.DriverVolume;
import dev.mooring.model.Attachment;
import dev.mooring.model.Pod;
import dev.mooring.model.migration.InTreeVolumes;
import dev.mooring.model.migration.VolumeTranslation;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Handles of a driver's volumes that pods use without a PersistentVolume. */
public record InlineHandles(String driver, LiveReader reader) {
  public CheckResult<Map<String, String>> readFromAttachments(Collection<Attachment> attachments)
      throws InterruptedException {
    VolumeSourceReader sources = new VolumeSourceReader(reader, driver);
    Map<String, String> handles = new HashMap<>();
    for (Attachment attachment : attachments) {
      if (attachment.attacher().equals(driver) && attachment.volumeName().isEmpty()) {
        switch (sources.readInline(attachment.key())) {
          case CheckResult.Valid<DriverVolume>(DriverVolume source) ->
              handles.put(attachment.meta().name(), source.handle());
          case CheckResult.Invalid<DriverVolume> _ -> {}
          case CheckResult.Unknown<DriverVolume>(String reason) -> {
            return new CheckResult.Unknown<>(reason);
          }
        }
      }
    }
    return new CheckResult.Valid<>(handles);
  }

  public Set<String> findInPods(Collection<Pod> pods) {
    Set<String> handles = new HashSet<>();
    for (Pod pod : pods) {
      for (Pod.Inline inline : pod.inline()) {
        if (InTreeVolumes.translate(inline, pod.key().namespace())
                instanceof VolumeTranslation.Translated(var volume)
            && volume.driver().equals(driver)) {
          handles.add(volume.handle());
        }
      }
    }
    return handles;
  }
}
