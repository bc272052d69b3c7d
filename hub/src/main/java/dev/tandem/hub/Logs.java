package dev.tandem.hub;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;

/** Logs to files in the state dir, rotated; set up by hand because reading XML slows the start. */
final class Logs {
    private Logs() {}

    static void to(Path log) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        LogLines encoder = new LogLines();
        encoder.setContext(context);
        encoder.start();
        RollingFileAppender<ILoggingEvent> file = new RollingFileAppender<>();
        file.setContext(context);
        file.setFile(log.toString());
        FixedWindowRollingPolicy rolling = new FixedWindowRollingPolicy();
        rolling.setContext(context);
        rolling.setParent(file);
        rolling.setFileNamePattern(log + ".%i");
        rolling.setMinIndex(1);
        rolling.setMaxIndex(3);
        rolling.start();
        SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
        size.setContext(context);
        size.setMaxFileSize(FileSize.valueOf("5MB"));
        size.start();
        file.setEncoder(encoder);
        file.setRollingPolicy(rolling);
        file.setTriggeringPolicy(size);
        file.start();
        var root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(file);
        context.getLogger("org.eclipse.jetty").setLevel(Level.WARN);
    }
}
