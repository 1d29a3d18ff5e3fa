package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Rejects a directory for a new volume if it belongs to another volume, lies in another volume's
 * directory or contains one. A directory of the same namespace may become free when its volume is
 * deleted: {@link DirectoryInUseException}. Records do not cover volumes of earlier provisioners
 * and of other exports, so a directory without a record may be in use.
 */
final class PlacementCheck {
  private final NfsExports exports;
  private final NfsExport export;
  private final DirectoryRecords records;

  /**
   * @param export the caller holds its lock
   */
  PlacementCheck(NfsExports exports, NfsExport export) {
    this.exports = exports;
    this.export = export;
    this.records = export.records();
  }

  Optional<DirectoryRecords.Entry> check(
      DirectoryRecords.Entry entry, SubdirPattern.Placement placement, boolean reuseRetained)
      throws IOException, PathRejectedException, DirectoryInUseException, InterruptedException {
    Optional<NfsExport> overlappingExport = exports.findOverlapping(export, entry.path());
    if (overlappingExport.isPresent()) {
      throw new PathRejectedException(
          "the directory \"%s\" of %s overlaps export %s: select that export with the class's parameter share, or choose another pathPattern"
              .formatted(entry.path(), export, overlappingExport.get()));
    }
    List<RelativePath> ancestors = entry.path().ancestors();
    for (int depth = 0; depth < ancestors.size(); depth++) {
      checkAncestor(entry, ancestors.get(depth), depth < placement.fixedElements());
    }
    Optional<String> owner = records.findOwner(entry.path());
    if (owner.isPresent()) {
      return Optional.of(requireReusable(owner.get(), entry, reuseRetained));
    }
    if (export.tree().exists(entry.path())) {
      checkUnrecordedDirectory(entry, placement, reuseRetained);
    }
    return Optional.empty();
  }

  private void checkAncestor(DirectoryRecords.Entry entry, RelativePath ancestor, boolean isFixed)
      throws IOException, PathRejectedException, InterruptedException {
    Optional<String> owner = records.findOwner(ancestor);
    if (owner.isPresent()) {
      throw new PathRejectedException(
          "the directory \"%s\" would lie in that of %s: choose another pathPattern"
              .formatted(entry.path(), displayName(owner.get(), entry.namespace())));
    }
    if (export.tree().exists(ancestor)
        && !records.isRecordedParent(ancestor)
        && !(isFixed && isParentOfEarlierProvisioner(ancestor))) {
      throw new PathRejectedException(
          "the directory \"%s\" would lie in \"%s\" of %s, which exists without a record and may belong to an earlier provisioner: choose another directory"
              .formatted(entry.path(), ancestor, export));
    }
  }

  /**
   * Returns true if the directory has only subdirectories and no volume's name. An export's root is
   * checked by its records.
   */
  private boolean isParentOfEarlierProvisioner(RelativePath directory)
      throws IOException, PathRejectedException, InterruptedException {
    return !directory.name().contains("-pvc-")
        && !export.tree().exists(RelativePath.existing(directory + "/.mooring"))
        && export.tree().hasDirectoriesOnly(directory);
  }

  private DirectoryRecords.Entry requireReusable(
      String owner, DirectoryRecords.Entry entry, boolean reuseRetained)
      throws IOException, PathRejectedException, DirectoryInUseException {
    Optional<DirectoryRecords.Entry> ownerEntry = records.findEntry(owner);
    boolean isRetained = ownerEntry.isPresent() && ownerEntry.get().retained();
    boolean isSameNamespace =
        ownerEntry.isPresent() && ownerEntry.get().namespace().equals(entry.namespace());
    if (isSameNamespace && !isRetained) {
      throw new DirectoryInUseException(
          "the directory \"%s\" still belongs to volume %s, which must be deleted first; if another claim uses that volume, choose another pathPattern"
              .formatted(entry.path(), owner));
    }
    if (!isSameNamespace || !reuseRetained) {
      throw new PathRejectedException(
          "the directory \"%s\" belongs to %s%s%s"
              .formatted(
                  entry.path(),
                  displayName(owner, entry.namespace()),
                  isRetained ? ", which was deleted and kept its directory" : "",
                  isSameNamespace
                      ? ": to reuse it, set the class's parameter reuseRetained to \"true\""
                      : ": choose another pathPattern"));
    }
    return ownerEntry.get();
  }

  private void checkUnrecordedDirectory(
      DirectoryRecords.Entry entry, SubdirPattern.Placement placement, boolean reuseRetained)
      throws IOException, PathRejectedException {
    List<String> volumesBelow = records.findVolumesBelow(entry.path());
    if (!volumesBelow.isEmpty()) {
      throw new PathRejectedException(
          "the directory \"%s\" exists and belongs to no volume, and the directory of %s lies in it: choose another pathPattern"
              .formatted(entry.path(), displayName(volumesBelow.getFirst(), entry.namespace())));
    }
    boolean isAdoptable =
        placement.isAdoptable()
            && !export.tree().exists(RelativePath.existing(entry.path() + "/.mooring"));
    if (!isAdoptable || !reuseRetained && !entry.path().name().endsWith("-" + entry.volume())) {
      throw new PathRejectedException(
          "the directory \"%s\" of %s exists and belongs to no volume: move it away, or choose another pathPattern%s"
              .formatted(
                  entry.path(),
                  export,
                  isAdoptable
                      ? ", or set the class's parameter reuseRetained to \"true\" to adopt it"
                      : ""));
    }
  }

  /**
   * Returns the name for an event in a namespace, which must not name volumes of other namespaces.
   */
  private String displayName(String volume, String namespace) throws IOException {
    return records.findEntry(volume).filter(e -> e.namespace().equals(namespace)).isPresent()
        ? "volume " + volume
        : "a volume of another namespace";
  }
}
