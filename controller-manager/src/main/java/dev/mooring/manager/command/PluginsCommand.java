package dev.mooring.manager.command;

import dev.mooring.manager.plugin.PluginProblem;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.text.TextTable;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "plugins",
    description = "Lists the plugins in the plugin directory, with problems that prevent loading.",
    mixinStandardHelpOptions = true)
public final class PluginsCommand implements Callable<Integer> {
  @Mixin private final PluginOptions options = new PluginOptions();
  @Mixin private final PluginSettings settings = new PluginSettings();

  public PluginsCommand() {}

  @Override
  public Integer call() throws UsageException, InterruptedException {
    try (PluginRegistry registry =
        PluginRegistry.read(options.config(settings.byName(), settings.timeout(), false))) {
      return list(registry);
    }
  }

  private int list(PluginRegistry registry) throws UsageException {
    TextTable table = new TextTable(TerminalWidth.ofOutput(), "NAME", "JAR", "CAN");
    for (PluginRegistry.LoadedPlugin plugin : registry.loaded()) {
      table.row(
          plugin.name(),
          plugin.jar(),
          plugin.capabilities().isEmpty()
              ? "nothing: its settings name no storage"
              : String.join(", ", plugin.capabilities()));
    }
    if (!registry.loaded().isEmpty() || registry.problems().isEmpty()) {
      System.out.print(table);
    }
    for (PluginProblem problem : registry.problems()) {
      System.err.println("mooring: " + problem);
    }
    settings.check(registry);
    return registry.problems().isEmpty() ? 0 : 1;
  }
}
