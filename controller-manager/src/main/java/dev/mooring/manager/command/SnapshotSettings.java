package dev.mooring.manager.command;

import dev.mooring.csi.CsiConfig;
import dev.mooring.storage.decide.DriverNames;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Whether and how a CSI driver makes snapshots: csi-snapshotter's flags. */
final class SnapshotSettings {
  @Option(
      names = "--enable-snapshots",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Have drivers make and destroy snapshots, instead of csi-snapshotter. The cluster needs a snapshot controller too: --controllers=*,snapshot-controller, or another. Default: ${DEFAULT-VALUE}.")
  private boolean enabled;

  @Option(
      names = "--snapshot-name-prefix",
      paramLabel = "PREFIX",
      description = "What the names of drivers' snapshots begin with. Default: ${DEFAULT-VALUE}.")
  private String snapshotPrefix = DriverNames.OF_SNAPSHOTS.prefix();

  @Option(
      names = "--snapshot-name-uuid-length",
      paramLabel = "N",
      description =
          "How many characters of the snapshot's uid follow, without dashes; -1 for the whole of it. Default: ${DEFAULT-VALUE}.")
  private int snapshotUidLength = DriverNames.OF_SNAPSHOTS.uidLength();

  @Option(
      names = "--groupsnapshot-name-prefix",
      paramLabel = "PREFIX",
      description =
          "What the names of drivers' groups of snapshots begin with. Default: ${DEFAULT-VALUE}.")
  private String groupPrefix = DriverNames.OF_GROUPS.prefix();

  @Option(
      names = "--groupsnapshot-name-uuid-length",
      paramLabel = "N",
      description =
          "How many characters of the group's uid follow, without dashes; -1 for the whole of it. Default: ${DEFAULT-VALUE}.")
  private int groupUidLength = DriverNames.OF_GROUPS.uidLength();

  SnapshotSettings() {}

  /**
   * How snapshots are made; empty if somebody else makes them.
   *
   * @param grouped whether groups of them too
   */
  Optional<CsiConfig.Snapshots> config(boolean grouped) {
    DriverNames names = DriverNames.OF_SNAPSHOTS.with(snapshotPrefix, snapshotUidLength);
    DriverNames groups = DriverNames.OF_GROUPS.with(groupPrefix, groupUidLength);
    return enabled
        ? Optional.of(
            new CsiConfig.Snapshots(names, grouped ? Optional.of(groups) : Optional.empty()))
        : Optional.empty();
  }
}
