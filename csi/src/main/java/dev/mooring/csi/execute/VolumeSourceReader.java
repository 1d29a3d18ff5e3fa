package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.AccessModeRules;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.SecretRef;
import dev.mooring.live.RawObject;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.migration.CsiVolume;
import dev.mooring.model.migration.DriverVolumes;
import dev.mooring.model.migration.InTreeVolumes;
import dev.mooring.model.migration.VolumeTranslation;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.VolumeAccess;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the parts of a volume's spec that drivers need and caches drop. Thread-safe. */
record VolumeSourceReader(LiveReader reader, String driver) {
  record DriverVolume(
      Optional<Volume> volume,
      String handle,
      RawObject csi,
      List<String> mountOptions,
      AccessModes modes,
      VolumeMode mode) {
    Optional<SecretRef> secretRef(String name) {
      RawObject ref = csi.at(name);
      return ref.text("name").isEmpty()
          ? Optional.empty()
          : Optional.of(new SecretRef(ref.text("namespace"), ref.text("name")));
    }

    CheckResult<VolumeAccess> access(DriverIdentity identity, DriverOptions options) {
      String fsType = csi.text("fsType");
      return AccessModeRules.mapCombined(
          modes,
          new AccessModeRules.VolumeUse(
              mode,
              fsType.isEmpty() ? options.defaultFsType() : fsType,
              mountOptions,
              identity.can(DriverCapability.SINGLE_NODE_MULTI_WRITER)));
    }
  }

  CheckResult<DriverVolume> read(String name) throws InterruptedException {
    ObjectKey key = ObjectKey.cluster(name);
    String missingMessage = "persistentvolume \"" + name + "\" not found";
    return switch (reader.read(Kind.VOLUME, key)) {
      case ReadResult.Found<Volume>(Volume volume) ->
          switch (reader.readWhole(Kind.VOLUME, key)) {
            case ReadResult.Found<Map<String, Object>>(Map<String, Object> object) ->
                toDriverVolume(volume, new RawObject(object).at("spec"));
            case ReadResult.Absent<Map<String, Object>> _ ->
                new CheckResult.Invalid<>(missingMessage);
            case ReadResult.Failed<Map<String, Object>>(String message) ->
                new CheckResult.Unknown<>(message);
          };
      case ReadResult.Absent<Volume> _ -> new CheckResult.Invalid<>(missingMessage);
      case ReadResult.Failed<Volume>(String message) -> new CheckResult.Unknown<>(message);
    };
  }

  // Reads the inline volume of an attachment without a PersistentVolume. The attach/detach
  // controller has translated it to CSI.
  CheckResult<DriverVolume> readInline(ObjectKey attachment) throws InterruptedException {
    return switch (reader.readWhole(Kind.ATTACHMENT, attachment)) {
      case ReadResult.Found<Map<String, Object>>(Map<String, Object> object) ->
          parseInline(new RawObject(object).at("spec", "source", "inlineVolumeSpec"));
      case ReadResult.Absent<Map<String, Object>> _ ->
          new CheckResult.Invalid<>("volumeattachment \"" + attachment.name() + "\" not found");
      case ReadResult.Failed<Map<String, Object>>(String message) ->
          new CheckResult.Unknown<>(message);
    };
  }

  private CheckResult<DriverVolume> parseInline(RawObject spec) {
    RawObject csi = spec.at("csi");
    String mode = spec.text("volumeMode");
    return csi.text("driver").equals(driver)
        ? new CheckResult.Valid<>(
            new DriverVolume(
                Optional.empty(),
                csi.text("volumeHandle"),
                csi,
                spec.list("mountOptions"),
                AccessModes.of(spec.list("accessModes")),
                mode.isEmpty() ? VolumeMode.FILESYSTEM : VolumeMode.of(mode)))
        : new CheckResult.Invalid<>(
            "the attachment names neither a PersistentVolume nor a volume of " + driver);
  }

  private static CheckResult<DriverVolume> translate(Volume volume, RawObject spec) {
    return switch (InTreeVolumes.translate(volume)) {
      case VolumeTranslation.Translated(CsiVolume csiVolume) ->
          new CheckResult.Valid<>(
              new DriverVolume(
                  Optional.of(volume),
                  csiVolume.handle(),
                  new RawObject(csiVolume.spec()).at("csi"),
                  spec.list("mountOptions"),
                  csiVolume.accessModes(),
                  volume.volumeMode()));
      case VolumeTranslation.Refused(String reason) -> new CheckResult.Invalid<>(reason);
      case VolumeTranslation.NotMigrated() ->
          new CheckResult.Invalid<>("the volume is not a migrated in-tree volume");
    };
  }

  private CheckResult<DriverVolume> toDriverVolume(Volume volume, RawObject spec) {
    if (DriverVolumes.isInTree(volume, driver)) {
      return translate(volume, spec);
    }
    RawObject csi = spec.at("csi");
    return csi.text("driver").equals(driver)
        ? new CheckResult.Valid<>(
            new DriverVolume(
                Optional.of(volume),
                csi.text("volumeHandle"),
                csi,
                spec.list("mountOptions"),
                volume.accessModes(),
                volume.volumeMode()))
        : new CheckResult.Invalid<>(
            "persistentvolume \"%s\" does not belong to driver %s"
                .formatted(volume.meta().name(), driver));
  }
}
