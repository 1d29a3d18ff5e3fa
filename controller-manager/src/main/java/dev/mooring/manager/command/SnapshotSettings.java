package dev.mooring.manager.command;

import dev.mooring.csi.CsiConfig;
import dev.mooring.storage.decide.DriverNames;
import java.util.Optional;
import picocli.CommandLine.Option;

final class SnapshotSettings {
  @Option(
      names = "--enable-snapshots",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Create and delete snapshots of CSI drivers, instead of csi-snapshotter. Requires a snapshot controller: --controllers=*,snapshot-controller, or another one. Default: ${DEFAULT-VALUE}.")
  private boolean enabled;

  @Option(
      names = "--snapshot-name-prefix",
      paramLabel = "PREFIX",
      description = "Prefix of snapshot names that drivers receive. Default: ${DEFAULT-VALUE}.")
  private String snapshotPrefix = DriverNames.OF_SNAPSHOTS.prefix();

  @Option(
      names = "--snapshot-name-uuid-length",
      paramLabel = "N",
      description =
          "Number of characters of the snapshot's UID in snapshot names, without dashes; -1 for the whole UID. Default: ${DEFAULT-VALUE}.")
  private int snapshotUidLength = DriverNames.OF_SNAPSHOTS.uidLength();

  @Option(
      names = "--groupsnapshot-name-prefix",
      paramLabel = "PREFIX",
      description =
          "Prefix of group snapshot names that drivers receive. Default: ${DEFAULT-VALUE}.")
  private String groupPrefix = DriverNames.OF_GROUPS.prefix();

  @Option(
      names = "--groupsnapshot-name-uuid-length",
      paramLabel = "N",
      description =
          "Number of characters of the group's UID in group snapshot names, without dashes; -1 for the whole UID. Default: ${DEFAULT-VALUE}.")
  private int groupUidLength = DriverNames.OF_GROUPS.uidLength();

  SnapshotSettings() {}

  Optional<CsiConfig.Snapshots> config(boolean grouped) {
    DriverNames names = DriverNames.OF_SNAPSHOTS.with(snapshotPrefix, snapshotUidLength);
    DriverNames groups = DriverNames.OF_GROUPS.with(groupPrefix, groupUidLength);
    return enabled
        ? Optional.of(
            new CsiConfig.Snapshots(names, grouped ? Optional.of(groups) : Optional.empty()))
        : Optional.empty();
  }
}
