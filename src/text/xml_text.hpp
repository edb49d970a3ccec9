// References and white space in XML text: raw bytes to characters. Tolerant: what is no reference stays as written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace flakestat::text {

/// The general entities of a document's internal DTD subset. Values are inserted once, as written: nothing in them is
/// expanded again, and one text takes at most kMaxUses of them, so no document can blow up.
class EntityTable {
 public:
  static constexpr std::size_t kMaxEntities = 64;
  static constexpr std::size_t kMaxValue = 1024;
  static constexpr std::size_t kMaxUses = 64;

  /// Keeps the first declaration of a name; too many or too long ones are ignored.
  void declare(std::string_view name, std::string_view value);
  /// The value; null when there is none.
  [[nodiscard]] const std::string* find(std::string_view name) const;

 private:
  struct Entity {
    std::string name;
    std::string value;
  };
  std::vector<Entity> entities_;
};

/// Where the text stood: in attributes, tabs and line ends are blanks; in content, line ends are line feeds.
enum class XmlPlace { attribute, content };

/// Appends the characters that `raw` means: the five predefined entities, character references (forbidden control
/// characters too; the caller cleans), declared entities. Unknown ones and stray ampersands stay as they are.
void append_decoded(std::string& out, std::string_view raw, XmlPlace place, const EntityTable& entities);

/// True when every byte is printable ASCII other than `&`: raw and meaning are the same.
[[nodiscard]] bool is_plain(std::string_view raw);

/// Blank in XML's sense or a control character: NULs pad the files of some programs.
[[nodiscard]] inline bool is_xml_blank(char byte) { return static_cast<unsigned char>(byte) <= ' '; }

[[nodiscard]] inline std::string_view trim_blank(std::string_view text) {
  while (!text.empty() && is_xml_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_xml_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace flakestat::text
