package dev.mooring.plugin.hostpath;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Expander;
import dev.mooring.spi.PluginContext;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumeInventory;
import dev.mooring.spi.VolumePlugin;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Plugin {@code kubernetes.io/host-path}. With {@code --enable-hostpath-provisioner} it provisions
 * directories below {@code /tmp/hostpath_pv}; of these it deletes only its own. It deletes other
 * directories below {@code /tmp}, and nothing else. It does not enforce sizes.
 */
public final class HostPathPlugin implements VolumePlugin {
  private static final String NAME = "kubernetes.io/host-path";

  private final HostPathDirectories directories;
  private volatile boolean enabled;

  public HostPathPlugin() {
    this(Path.of("/tmp"), false);
  }

  HostPathPlugin(Path root, boolean enabled) {
    this.directories = new HostPathDirectories(root);
    this.enabled = enabled;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean supports(VolumeSource source) {
    return source.type().equals("hostPath");
  }

  @Override
  public void start(PluginContext context) {
    enabled = Boolean.parseBoolean(context.setting("enable-hostpath-provisioner", "false"));
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return Optional.of(new HostPathProvisioner(directories, enabled));
  }

  @Override
  public Optional<Deleter> deleter() {
    return Optional.of(directories::delete);
  }

  @Override
  public Optional<VolumeInventory> inventory() {
    return Optional.of(directories::contains);
  }

  /** Returns an expander that changes nothing: a directory has no size. */
  @Override
  public Optional<Expander> expander() {
    return Optional.of(
        request -> Attempt.done(new Expander.Expanded(request.requestedSize(), false)));
  }
}
