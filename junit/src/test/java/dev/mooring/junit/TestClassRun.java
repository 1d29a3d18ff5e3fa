package dev.mooring.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.LauncherConstants;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs test classes as JUnit's launcher does, and collects messages of failures and reports. */
final class TestClassRun implements TestExecutionListener {
  private final List<String> failures = new ArrayList<>();
  private final List<Map<String, String>> reports = new ArrayList<>();

  static TestClassRun of(Class<?>... testClasses) {
    TestClassRun run = new TestClassRun();
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
    for (Class<?> testClass : testClasses) {
      request.selectors(selectClass(testClass));
    }
    request.configurationParameter(
        LauncherConstants.DEACTIVATE_LISTENERS_PATTERN_PROPERTY_NAME, "*");
    LauncherFactory.create(
            LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build())
        .execute(request.build(), run);
    return run;
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    result.getThrowable().ifPresent(failure -> failures.add(String.valueOf(failure.getMessage())));
  }

  @Override
  public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
    reports.add(entry.getKeyValuePairs());
  }

  List<String> failures() {
    return failures;
  }

  List<Map<String, String>> reports() {
    return reports;
  }
}
