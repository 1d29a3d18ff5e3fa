package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.mooring.cluster.RbacRule;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.RestApi;
import dev.mooring.it.RestrictedServer;
import dev.mooring.it.RightsTrial;
import dev.mooring.manager.command.RunFlags;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An optional controller that runs alone, without plugins. */
final class OptionalControllerTrial implements RightsTrial {
  @FunctionalInterface
  interface Play {
    /**
     * Performs all steps.
     *
     * @param awaitRepeat whether to wait for a repeated event
     */
    void run(TestServer server, boolean awaitRepeat) throws Exception;
  }

  record TestServer(RestApi api) {
    void create(String json) throws Exception {
      api.create(JsonParser.parseString(json).getAsJsonObject());
    }

    boolean hasEvent(String... fragments) throws Exception {
      return api.list("Event").stream()
          .map(Object::toString)
          .anyMatch(event -> List.of(fragments).stream().allMatch(event::contains));
    }
  }

  private final List<String> flags;
  private final Play play;
  private final boolean canRepeatEvents;

  /**
   * @param canRepeatEvents whether an event can repeat
   */
  OptionalControllerTrial(Play play, boolean canRepeatEvents, String... flags) {
    this.play = play;
    this.canRepeatEvents = canRepeatEvents;
    this.flags = new ArrayList<>(List.of(flags));
    this.flags.add("--endpoints=off");
  }

  @Override
  public List<RbacRule> rights() throws Exception {
    return RunFlags.rights(flags);
  }

  @Override
  public boolean canRepeatEvents() {
    return canRepeatEvents;
  }

  @Override
  public Stage stage(Path folder) throws Exception {
    RestrictedServer server = RestrictedServer.start(folder);
    return new Stage() {
      @Override
      public RestrictedServer server() {
        return server;
      }

      @Override
      public void play(Path kubeconfig, boolean awaitRepeat) throws Exception {
        List<String> args = new ArrayList<>(List.of("run", "--mode=replace"));
        args.addAll(flags);
        args.add("--kubeconfig=" + kubeconfig);
        args.add("--plugins=" + Files.createDirectory(folder.resolve("none")));
        try (JavaProcess process = JavaProcess.startMooring(args.toArray(String[]::new))) {
          process.awaitLine(line -> line.contains("running "));
          OptionalControllerTrial.this.play.run(new TestServer(server.admin()), awaitRepeat);
          assertThat(process.stop()).as("Lease is released").isEqualTo(143);
        }
      }

      @Override
      public void close() throws Exception {
        server.close();
      }
    };
  }
}
