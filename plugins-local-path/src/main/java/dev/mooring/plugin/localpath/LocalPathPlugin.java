package dev.mooring.plugin.localpath;

import dev.mooring.model.VolumeSource;
import dev.mooring.plugin.localpath.HelperPod.PodTemplate;
import dev.mooring.plugin.localpath.LocalPathDeleter.MissingNodePolicy;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.PluginContext;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Volumes in directories of nodes. Replaces local-path-provisioner: accepts its name, its {@code
 * config.json}, class parameters, annotations and volumes. Without the setting {@code
 * local-path-config} the plugin is inactive. {@code LOCAL_PATH_PROVISIONER_NAME} changes its name.
 */
public final class LocalPathPlugin implements VolumePlugin {
  private static final String NAME = "rancher.io/local-path";
  private static final String JAVA = "/opt/mooring/runtime/bin/java";
  private static final String JAR =
      "/opt/mooring/plugins/plugins-local-path/plugins-local-path.jar";
  private static final Pattern OWN_DIRECTORY =
      Pattern.compile("/.+/pvc-[0-9a-f]{8}-[0-9a-f-]{27}_[^/_]+_[^/_]+");

  private final Map<String, String> environment;
  private volatile @Nullable ReloadedConfig config;
  private volatile Optional<Provisioner> provisioner = Optional.empty();
  private volatile Optional<Deleter> deleter = Optional.empty();

  public LocalPathPlugin() {
    this(System.getenv());
  }

  LocalPathPlugin(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  @Override
  public String name() {
    return environment.getOrDefault("LOCAL_PATH_PROVISIONER_NAME", NAME);
  }

  @Override
  public void start(PluginContext context) {
    String file = context.setting("local-path-config", "");
    // not NODE_NAME: the chart sets it also where the node's directories are not mounted
    String localNode = context.setting("local-path-node", "");
    MissingNodePolicy missingNodePolicy =
        parseMissingNodePolicy(context.setting("local-path-node-gone", "keep"));
    PodTemplate template =
        new PodTemplate(
            context.setting("local-path-helper-image", ""),
            context.setting("local-path-helper-java", JAVA),
            context.setting("local-path-helper-jar", JAR),
            context.setting("local-path-helper-priority-class", "system-node-critical"),
            Stream.of(context.setting("local-path-helper-pull-secrets", "").split(","))
                .filter(secret -> !secret.isEmpty())
                .toList(),
            Duration.ZERO);
    if (file.isEmpty()) {
      return;
    }
    ReloadedConfig reloadedConfig = new ReloadedConfig(Path.of(file), context.logger());
    JobRunner jobRunner =
        new JobRunner(
            localNode,
            new HelperPodRunner(context.cluster(), template),
            new CapacityLedger(context.cluster(), System::nanoTime));
    config = reloadedConfig;
    provisioner =
        Optional.of(new LocalPathProvisioner(reloadedConfig, context.cluster(), jobRunner));
    deleter =
        Optional.of(
            new LocalPathDeleter(name(), reloadedConfig, context, jobRunner, missingNodePolicy));
  }

  private static MissingNodePolicy parseMissingNodePolicy(String setting) {
    return switch (setting) {
      case "keep" -> MissingNodePolicy.KEEP;
      case "forget" -> MissingNodePolicy.FORGET;
      default ->
          throw new IllegalArgumentException(
              "local-path-node-gone \"" + setting + "\" is unknown: use keep or forget");
    };
  }

  /**
   * Accepts only volumes below the configured paths, because other plugins serve directories too.
   * Also accepts a path that is no longer configured if the directory has this plugin's naming.
   */
  @Override
  public boolean supports(VolumeSource source) {
    ReloadedConfig reloadedConfig = config;
    return reloadedConfig != null
        && RemovalDecision.TYPES.contains(source.type())
        && (OWN_DIRECTORY.matcher(source.attribute("path")).matches()
            || reloadedConfig.current().basePaths().stream()
                .anyMatch(base -> source.attribute("path").startsWith(base.text() + "/")));
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return provisioner;
  }

  @Override
  public Optional<Deleter> deleter() {
    return deleter;
  }
}
