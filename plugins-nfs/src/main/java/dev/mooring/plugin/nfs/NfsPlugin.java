package dev.mooring.plugin.nfs;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.PluginContext;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.UsageMeter;
import dev.mooring.spi.VolumeInventory;
import dev.mooring.spi.VolumePlugin;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Volumes in directories of NFS exports. Replaces nfs-subdir-external-provisioner: accepts its
 * name, its class parameters, and its environment variables {@code PROVISIONER_NAME}, {@code
 * NFS_SERVER} and {@code NFS_PATH} with the export mounted at {@code /persistentvolumes}. The
 * setting {@code nfs-exports} configures other or more exports. Without an export the plugin is
 * inactive.
 */
public final class NfsPlugin implements VolumePlugin {
  private static final String NAME = "k8s-sigs.io/nfs-subdir-external-provisioner";
  private static final String MOUNT_POINT = "/persistentvolumes";

  private final Map<String, String> environment;
  private volatile NfsExports exports = new NfsExports(List.of());
  private volatile Optional<OnDelete> earlierVolumesAction = Optional.empty();
  private volatile System.Logger log = System.getLogger(NfsPlugin.class.getName());

  public NfsPlugin() {
    this(System.getenv());
  }

  NfsPlugin(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  @Override
  public String name() {
    return environment.getOrDefault("PROVISIONER_NAME", NAME);
  }

  @Override
  public boolean supports(VolumeSource source) {
    return source.type().equals("nfs");
  }

  @Override
  public void start(PluginContext context) {
    log = context.logger();
    boolean mustBeMounted =
        switch (context.setting("nfs-require-mount", "true")) {
          case "true" -> true;
          case "false" -> false;
          default ->
              throw new IllegalArgumentException(
                  "nfs-require-mount \"%s\" is unknown: use true or false"
                      .formatted(context.setting("nfs-require-mount", "")));
        };
    earlierVolumesAction = parseEarlierVolumes(context.setting("nfs-earlier-volumes", "leave"));
    exports = NfsExports.of(context.setting("nfs-exports", exportFromEnvironment()), mustBeMounted);
  }

  private static Optional<OnDelete> parseEarlierVolumes(String setting) {
    return switch (setting) {
      case "leave" -> Optional.empty();
      case "archive" -> Optional.of(OnDelete.ARCHIVE);
      case "delete" -> Optional.of(OnDelete.DELETE);
      default ->
          throw new IllegalArgumentException(
              "nfs-earlier-volumes \"" + setting + "\" is unknown: use leave, archive or delete");
    };
  }

  private String exportFromEnvironment() {
    String server = environment.getOrDefault("NFS_SERVER", "");
    String path = environment.getOrDefault("NFS_PATH", "");
    return server.isEmpty() || path.isEmpty() ? "" : server + ":" + path + "=" + MOUNT_POINT;
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return exports.list().isEmpty() ? Optional.empty() : Optional.of(new NfsProvisioner(exports));
  }

  @Override
  public Optional<UsageMeter> usage() {
    return exports.list().isEmpty() ? Optional.empty() : Optional.of(new NfsUsage(exports));
  }

  @Override
  public Optional<VolumeInventory> inventory() {
    return exports.list().isEmpty() ? Optional.empty() : Optional.of(new NfsInventory(exports));
  }

  @Override
  public Optional<Deleter> deleter() {
    return exports.list().isEmpty()
        ? Optional.empty()
        : Optional.of(new NfsDeleter(exports, earlierVolumesAction, log));
  }
}
