package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.Accesses;
import dev.mooring.csi.decide.Checked;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.migration.CsiVolume;
import dev.mooring.model.migration.DriverVolumes;
import dev.mooring.model.migration.InTreeVolumes;
import dev.mooring.model.migration.Translation;
import dev.mooring.spi.csi.Access;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads how a volume is addressed and used, with all that the caches leave out. Thread-safe. */
record SourceReader(LiveReader reader, String driver) {
  /**
   * A volume of the driver.
   *
   * @param volume the PersistentVolume; empty for one that stands in a pod
   * @param handle its id at the driver
   * @param csi its spec.csi, whole
   * @param mountOptions its mount options
   * @param modes how it is used
   * @param mode Filesystem or Block
   */
  record Source(
      Optional<Volume> volume,
      String handle,
      Whole csi,
      List<String> mountOptions,
      AccessModes modes,
      VolumeMode mode) {
    /** The one way in which it is used. */
    Checked<Access> access(Identity identity, DriverOptions options) {
      String written = csi.text("fsType");
      return Accesses.whole(
          modes,
          new Accesses.Use(
              mode,
              written.isEmpty() ? options.defaultFsType() : written,
              mountOptions,
              identity.can(Ability.SINGLE_NODE_MULTI_WRITER)));
    }
  }

  Checked<Source> read(String name) throws InterruptedException {
    ObjectKey key = ObjectKey.cluster(name);
    String missing = "persistentvolume \"" + name + "\" not found";
    return switch (reader.read(Kind.VOLUME, key)) {
      case ReadResult.Found<Volume>(Volume volume) ->
          switch (reader.readWhole(Kind.VOLUME, key)) {
            case ReadResult.Found<Map<String, Object>>(Map<String, Object> whole) ->
                source(volume, Whole.of(whole).at("spec"));
            case ReadResult.Absent<Map<String, Object>> _ -> new Checked.Invalid<>(missing);
            case ReadResult.Failed<Map<String, Object>>(String message) ->
                new Checked.Unknown<>(message);
          };
      case ReadResult.Absent<Volume> _ -> new Checked.Invalid<>(missing);
      case ReadResult.Failed<Volume>(String message) -> new Checked.Unknown<>(message);
    };
  }

  /**
   * The volume of an attachment that names no PersistentVolume: one that stands in a pod. Whoever
   * made the attachment has translated it.
   */
  Checked<Source> readInline(ObjectKey attachment) throws InterruptedException {
    return switch (reader.readWhole(Kind.ATTACHMENT, attachment)) {
      case ReadResult.Found<Map<String, Object>>(Map<String, Object> whole) ->
          inline(Whole.of(whole).at("spec", "source", "inlineVolumeSpec"));
      case ReadResult.Absent<Map<String, Object>> _ ->
          new Checked.Invalid<>("volumeattachment \"" + attachment.name() + "\" not found");
      case ReadResult.Failed<Map<String, Object>>(String message) -> new Checked.Unknown<>(message);
    };
  }

  private Checked<Source> inline(Whole spec) {
    Whole csi = spec.at("csi");
    String mode = spec.text("volumeMode");
    return csi.text("driver").equals(driver)
        ? new Checked.Valid<>(
            new Source(
                Optional.empty(),
                csi.text("volumeHandle"),
                csi,
                spec.list("mountOptions"),
                AccessModes.of(spec.list("accessModes")),
                mode.isEmpty() ? VolumeMode.FILESYSTEM : VolumeMode.of(mode)))
        : new Checked.Invalid<>(
            "the attachment names neither a PersistentVolume nor a volume of " + driver);
  }

  private static Checked<Source> translated(Volume volume, Whole spec) {
    return switch (InTreeVolumes.translate(volume)) {
      case Translation.Translated(CsiVolume it) ->
          new Checked.Valid<>(
              new Source(
                  Optional.of(volume),
                  it.handle(),
                  Whole.of(it.spec()).at("csi"),
                  spec.list("mountOptions"),
                  it.accessModes(),
                  volume.volumeMode()));
      case Translation.Refused(String why) -> new Checked.Invalid<>(why);
      case Translation.NotMigrated() -> new Checked.Invalid<>("it is no in-tree volume any more");
    };
  }

  private Checked<Source> source(Volume volume, Whole spec) {
    if (DriverVolumes.isInTree(volume, driver)) {
      return translated(volume, spec);
    }
    Whole csi = spec.at("csi");
    return csi.text("driver").equals(driver)
        ? new Checked.Valid<>(
            new Source(
                Optional.of(volume),
                csi.text("volumeHandle"),
                csi,
                spec.list("mountOptions"),
                volume.accessModes(),
                volume.volumeMode()))
        : new Checked.Invalid<>(
            "persistentvolume \"" + volume.meta().name() + "\" is no volume of " + driver);
  }
}
