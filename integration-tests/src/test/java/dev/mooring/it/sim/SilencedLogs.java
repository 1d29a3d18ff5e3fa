package dev.mooring.it.sim;

import dev.mooring.manager.telemetry.LogSetup;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Logs errors only while a test class plays schedules, which log some 300,000 lines, mostly
 * retries. The replay of one schedule logs as usual.
 */
final class SilencedLogs implements BeforeAllCallback, AfterAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    LogSetup.configure(false, false, System.getProperty("mooring.sim.replay") == null);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    LogSetup.configure(false, false, false);
  }
}
