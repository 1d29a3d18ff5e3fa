package dev.mooring.manager.command;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

final class RunningOptions {
  private static final String USUAL = "127.0.0.1:10277";

  @Option(
      names = "--endpoints",
      paramLabel = "HOST:PORT",
      description = "Address of the running process. Default: " + USUAL + ".")
  private @Nullable String address;

  boolean isDefault() {
    return address == null;
  }

  private String endpoints() {
    return address == null ? USUAL : address;
  }

  LocalEndpoint at(Duration timeout) {
    return new LocalEndpoint(endpoints(), timeout);
  }

  UsageException secret(int code) {
    return new UsageException(
        "--endpoints %s answers %s: run this command as the same user, on the same machine or in the same container"
            .formatted(endpoints(), code));
  }

  UsageException unexpectedAnswer(int code) {
    return new UsageException(
        "--endpoints "
            + endpoints()
            + " answers "
            + code
            + ": check that this is a Mooring process");
  }

  UsageException unreachable(Exception cause) {
    return new UsageException(
        "--endpoints %s cannot be reached (%s): specify the HOST:PORT that the running process logged"
            .formatted(endpoints(), cause.getClass().getSimpleName()));
  }
}
