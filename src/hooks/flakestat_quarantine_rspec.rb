# Skips quarantined examples: rspec --require THIS_FILE. Written by flakestat.
# FLAKESTAT_QUARANTINE_LIST names a file with one ["file","full description"] a line; an empty file name means every file.
require 'json'
require 'rspec/core'
require 'set'

flakestat_listed = Set.new(
  File.readlines(ENV.fetch('FLAKESTAT_QUARANTINE_LIST'), chomp: true, encoding: 'UTF-8').map do |line|
    file, name = JSON.parse(line)
    [file, name.gsub(/\s/, ' ')]
  end
)

RSpec.configure do |config|
  config.prepend_before(:each) do |example|
    # Reports turn line ends into blanks.
    name = example.full_description.gsub(/\s/, ' ')
    files = ['', example.metadata[:file_path], example.metadata[:rerun_file_path]]
    skip("quarantined: #{name}") if files.any? { |file| flakestat_listed.include?([file, name]) }
  end
end
