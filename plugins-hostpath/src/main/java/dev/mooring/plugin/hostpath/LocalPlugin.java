package dev.mooring.plugin.hostpath;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Expander;
import dev.mooring.spi.Failure;
import dev.mooring.spi.PluginContext;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plugin {@code mooring.dev/local}: directories of the controller's machine as volumes of type
 * {@code local}, bound to this node. For clusters with one node, or with one process and one class
 * per node.
 */
public final class LocalPlugin implements VolumePlugin {
  private static final String NAME = "mooring.dev/local";
  private static final String HOSTNAME = "kubernetes.io/hostname";
  private static final Duration OTHER_NODE_RETRY_DELAY = Duration.ofSeconds(1);

  private volatile @Nullable MarkedFolder volumeFolder;
  private volatile String node = "";

  public LocalPlugin() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void start(PluginContext context) {
    String setting = context.setting("local-folder", "");
    node = context.setting("local-node", "");
    if (setting.isEmpty()) {
      return;
    }
    Path path = Path.of(setting);
    if (!path.isAbsolute() || !Files.isDirectory(path)) {
      throw new IllegalArgumentException(
          "local-folder %s is not a directory of this machine: set an absolute path with --plugin-setting local-folder=DIR"
              .formatted(setting));
    }
    if (node.isEmpty()) {
      node = readHostname();
    }
    volumeFolder = MarkedFolder.at(path);
  }

  private static String readHostname() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "the name of this machine is unknown: set the node's name with --plugin-setting local-node=NAME",
          e);
    }
  }

  @Override
  public boolean supports(VolumeSource source) {
    MarkedFolder folder = volumeFolder;
    return folder != null
        && source.type().equals("local")
        && findVolumePath(folder, source).isPresent();
  }

  private static Optional<Path> findVolumePath(MarkedFolder folder, VolumeSource source) {
    try {
      return Optional.of(Path.of(source.attribute("path"))).filter(folder::isVolumeDirectory);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return Optional.of(new LocalProvisioner());
  }

  @Override
  public Optional<Deleter> deleter() {
    return Optional.of(this::delete);
  }

  private Attempt<Deleter.Deleted> delete(Deleter.Request request) {
    MarkedFolder folder = volumeFolder;
    VolumeSource source = request.source();
    Optional<Path> path =
        folder != null && source.type().equals("local")
            ? findVolumePath(folder, source)
            : Optional.empty();
    return folder == null || path.isEmpty()
        ? Attempt.rejected(source.attribute("path") + " is not in local-folder")
        : folder.delete(request.volumeName(), path.get().getFileName(), false);
  }

  @Override
  public Optional<Expander> expander() {
    return Optional.of(this::expand);
  }

  private Attempt<Expander.Expanded> expand(Expander.Request request) {
    MarkedFolder folder = volumeFolder;
    String directory = request.source().attribute("path");
    Optional<Path> path =
        folder == null ? Optional.empty() : findVolumePath(folder, request.source());
    Quantity newSize = request.requestedSize();
    try {
      return folder != null
              && path.isPresent()
              && folder.isDirectoryOf(request.volumeName(), path.get())
          ? Attempt.done(new Expander.Expanded(newSize, false))
          : Attempt.rejected(directory + " is not the directory of " + request.volumeName());
    } catch (IOException e) {
      return new Attempt.Failed<>(new Failure.Unreachable(directory + ": " + e));
    }
  }

  private final class LocalProvisioner implements Provisioner {
    @Override
    public Optional<String> refuses(Request request) {
      if (volumeFolder == null) {
        return Optional.of(
            "plugin %s has no directory for volumes: start with --plugin-setting local-folder=DIR"
                .formatted(NAME));
      }
      if (request.volumeMode() == VolumeMode.BLOCK) {
        return Optional.of("plugin " + NAME + " creates directories, not block devices");
      }
      return Optional.empty();
    }

    @Override
    public boolean needsFullClaims(Map<String, String> parameters) {
      return false;
    }

    @Override
    public Attempt<Provisioned> provision(Request request) {
      MarkedFolder folder = volumeFolder;
      if (folder == null) {
        return Attempt.rejected("no local-folder");
      }
      String selectedNode = request.selectedNode();
      if (selectedNode != null && !selectedNode.equals(node)) {
        return new Attempt.Failed<>(
            new Failure.Exhausted(
                "plugin " + NAME + " has volumes on node " + node + ", not on " + selectedNode,
                OTHER_NODE_RETRY_DELAY));
      }
      return switch (folder.create(request.volumeName(), request.volumeName())) {
        case Attempt.Done<String>(String path) ->
            Attempt.done(
                new Provisioned(
                    VolumeSource.local(path),
                    request.capacity(),
                    request.accessModes(),
                    Map.of(),
                    List.of(Map.of(HOSTNAME, node))));
        case Attempt.Failed<String>(Failure failure) -> new Attempt.Failed<>(failure);
      };
    }
  }
}
