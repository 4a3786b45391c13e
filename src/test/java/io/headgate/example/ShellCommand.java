package io.headgate.example;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A call of curl as a page shows it.
 *
 * @param text the command, which may have several lines
 * @param comment the line in front of it, without its mark, or an empty text
 * @param output what the page says that it prints, or an empty text
 */
record ShellCommand(String text, String comment, String output) {
  private static final Pattern QUOTE = Pattern.compile("'");
  private static final String PROMPT = "$ ";

  /** The calls of a block. Where it has a prompt, what follows a command is its output. */
  static List<ShellCommand> of(CodeBlock block) {
    List<ShellCommand> commands = new ArrayList<>();
    List<String> lines = block.text().lines().toList();
    boolean prompts = block.text().startsWith(PROMPT);
    String comment = "";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith("# ")) {
        comment = line.substring(2);
      } else if (line.isEmpty()) {
        comment = "";
      } else if (line.startsWith("curl ") || line.startsWith(PROMPT + "curl ")) {
        StringBuilder text = new StringBuilder(prompts ? line.substring(2) : line);
        while (isOpen(text.toString()) && i + 1 < lines.size()) {
          text.append('\n').append(lines.get(++i));
        }
        StringBuilder output = new StringBuilder();
        while (prompts && i + 1 < lines.size()) {
          output.append(lines.get(++i)).append('\n');
        }
        commands.add(new ShellCommand(text.toString(), comment, output.toString()));
      }
    }
    return commands;
  }

  private static boolean isOpen(String text) {
    return QUOTE.matcher(text).results().count() % 2 == 1 || text.endsWith("\\");
  }

  /** The status that the comment promises; without one, 200. */
  int status() {
    return comment.matches("\\d{3}\\b.*") ? Integer.parseInt(comment.substring(0, 3)) : 200;
  }
}
